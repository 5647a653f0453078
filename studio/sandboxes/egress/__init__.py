"""The way out of a sandbox that may fetch: a socket that the tool host hands over, a relay, and a Squid of its own.

A sandbox has no network with any engine. Where its job may fetch, the tool host listens on its loopback and hands that
socket to the studio over a Unix socket; what connects there is carried to a Squid on this machine, which admits or
refuses by the names and addresses that `rules` says, resolves names itself, and tells what was asked for. So nothing of
a network is ever inside: no interface, no route, no resolver.
"""
