"""The tool host: the sandbox's main process, which carries out the calls that come over its pipe.

Python's standard library only. Its modules travel to the sandbox as one code object at every start
(`studio.sandboxes.payload`), so they import each other and, until needed, nothing that is slow to load.
"""
