"""Sandbox Studio: a brief goes in, a checked artifact with its full record comes out."""

from importlib.metadata import version

__version__ = version("sandbox-studio")
