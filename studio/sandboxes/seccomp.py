"""The system call filter, as a BPF program made by libseccomp (seccomp_export_bpf(3))."""

from __future__ import annotations

import ctypes
import os
from ctypes.util import find_library
from functools import lru_cache

from studio.errors import ConfigurationError
from studio.sandboxes.seccomp_profile import ALLOWED, EPERM, RULES, Rule

LIBRARY = "libseccomp.so.2"
_ALLOW = 0x7FFF0000
_ERRNO = 0x00050000
_BAD_ARCHITECTURE, _OPTIMIZE = 2, 8  # attributes of a filter
_BINARY_TREE = 2


class _Comparison(ctypes.Structure):
    _fields_ = (
        ("argument", ctypes.c_uint),
        ("operator", ctypes.c_int),
        ("first", ctypes.c_uint64),
        ("second", ctypes.c_uint64),
    )


def library() -> ctypes.CDLL:
    """libseccomp. Raises ConfigurationError with the remedy."""
    try:
        found = ctypes.CDLL(LIBRARY)
    except OSError:
        name = find_library("seccomp")
        if name is None:
            raise ConfigurationError("libseccomp is missing; install the package libseccomp2") from None
        found = ctypes.CDLL(name)
    found.seccomp_init.restype = ctypes.c_void_p
    return found


@lru_cache(maxsize=1)
def program() -> bytes:
    """The filter. Raises ConfigurationError when libseccomp is missing or refuses."""
    seccomp = library()
    context = ctypes.c_void_p(seccomp.seccomp_init(ctypes.c_uint32(_ERRNO | EPERM)))
    if not context:
        raise ConfigurationError("libseccomp cannot make a filter")
    try:
        # Programs of another architecture (32-bit ones) get the same refusal.
        seccomp.seccomp_attr_set(context, _BAD_ARCHITECTURE, ctypes.c_uint32(_ERRNO | EPERM))
        seccomp.seccomp_attr_set(context, _OPTIMIZE, ctypes.c_uint32(_BINARY_TREE))
        for name in ALLOWED.split():
            _add(seccomp, context, Rule(name), plain=True)
        for rule in RULES:
            _add(seccomp, context, rule, plain=rule.error is not None)
        return _exported(seccomp, context)
    finally:
        seccomp.seccomp_release(context)


def _add(seccomp: ctypes.CDLL, context: ctypes.c_void_p, rule: Rule, *, plain: bool) -> None:
    number = seccomp.seccomp_syscall_resolve_name(rule.name.encode())
    if number < 0:
        return
    action = _ALLOW if rule.error is None else _ERRNO | rule.error
    comparisons = (_Comparison * 1)(_Comparison(rule.argument, rule.comparison, rule.value, rule.mask_value))
    count = 0 if plain else 1
    failed = seccomp.seccomp_rule_add_array(context, ctypes.c_uint32(action), number, count, comparisons)
    if failed:
        raise ConfigurationError(f"libseccomp refuses the rule for {rule.name}: {os.strerror(-failed)}")


def _exported(seccomp: ctypes.CDLL, context: ctypes.c_void_p) -> bytes:
    descriptor = os.memfd_create("seccomp")
    try:
        if seccomp.seccomp_export_bpf(context, descriptor):
            raise ConfigurationError("libseccomp cannot write its filter")
        return os.pread(descriptor, os.fstat(descriptor).st_size, 0)
    finally:
        os.close(descriptor)
