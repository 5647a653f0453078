"""What a style sheet or a property value would load: every `url()`, `@import`, `src()` and image-set string in it.

Parsed after CSS Syntax 3 by tinycss2, so that escapes, comments and odd capitals cannot hide an address.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

# Old engines ran script from these; nothing good uses them.
_SCRIPTING = {"expression", "behavior", "-moz-binding"}
_LOADING_FUNCTIONS = {"url", "src", "url-prefix"}
_STRING_SETS = {"image-set", "-webkit-image-set", "image", "cross-fade", "-webkit-cross-fade"}


def in_stylesheet(css: str) -> Iterator[str]:
    """Every address that the style sheet would load; a scripting construct is given as `javascript:` and its name."""
    import tinycss2

    yield from _in_rules(tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True))


def in_declarations(css: str) -> Iterator[str]:
    """The same for a `style` attribute."""
    import tinycss2

    yield from _in_rules(tinycss2.parse_blocks_contents(css, skip_comments=True, skip_whitespace=True))


def in_value(css: str) -> Iterator[str]:
    """The same for a presentation attribute such as `fill` or `filter`."""
    import tinycss2

    yield from _in_tokens(tinycss2.parse_component_value_list(css, skip_comments=True))


def _in_rules(rules: Iterable[Any]) -> Iterator[str]:
    import tinycss2

    for rule in rules:
        if rule.type == "at-rule":
            keyword = rule.lower_at_keyword
            if keyword == "namespace":
                continue  # its address is a name, never fetched
            if keyword == "import":
                yield from (token.value for token in rule.prelude if token.type == "string")
            yield from _in_tokens(rule.prelude)
            if rule.content is not None:
                yield from _in_rules(
                    tinycss2.parse_blocks_contents(rule.content, skip_comments=True, skip_whitespace=True)
                )
        elif rule.type == "qualified-rule":
            yield from _in_tokens(rule.prelude)
            yield from _in_rules(tinycss2.parse_blocks_contents(rule.content, skip_comments=True, skip_whitespace=True))
        elif rule.type == "declaration":
            if rule.lower_name in _SCRIPTING:
                yield f"javascript:{rule.lower_name}"
            yield from _in_tokens(rule.value)


def _in_tokens(tokens: Iterable[Any]) -> Iterator[str]:
    for token in tokens:
        if token.type == "url":
            yield token.value
        elif token.type == "function":
            if token.lower_name in _SCRIPTING:
                yield f"javascript:{token.lower_name}"
            if token.lower_name in _LOADING_FUNCTIONS | _STRING_SETS:
                yield from (item.value for item in token.arguments if item.type == "string")
            yield from _in_tokens(token.arguments)
        elif token.type in ("() block", "[] block", "{} block"):
            yield from _in_tokens(token.content)
