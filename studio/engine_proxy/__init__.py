"""What stands between a worker and a Docker engine's socket.

Whoever may speak to a Docker engine is root on its machine: a body of `containers/create` can mount the machine's root
folder. So a worker in a container speaks to this proxy, which knows the ten requests that the studio makes and their
whole content, and refuses everything else. It runs in a container of its own, has the engine's socket, and no network.

- What is forwarded is written anew from what was understood; nothing of a client's request reaches the engine as it
  came. Two readers of one text can then not differ about it.
- A container gets this proxy's label, which no client can set; only containers with it can be started, attached to,
  looked at and removed. Containers of others are not listed either.
- Answers are cut down to what the studio reads: the engine's own are full of its machine's settings.

`requests` reads requests, `bodies` is the schema of a container, `engine` speaks to the engine, `relay` joins streams,
`server` answers.
"""

from studio.engine_proxy.server import EngineProxy

__all__ = ["EngineProxy"]
