"""Answers that a browser may keep: for good, for a day, or until it hears of another."""

import hashlib
from typing import Any

from litestar import Request, Response
from litestar.enums import MediaType

#: For a day; after that it is asked whether there is another.
_FOR_A_DAY = "public, max-age=86400"
#: Named by its own fingerprint, it can be no other.
FOR_GOOD = "public, max-age=31536000, immutable"
#: Kept, and never shown again without asking whether it still holds.
_UNTIL_CHANGED = "public, no-cache"


def still_holds(request: Request[Any, Any, Any], tag: str) -> bool:
    """Say whether what a browser has is what it would be sent."""
    asked = request.headers.get("if-none-match", "")
    return tag in (each.strip().removeprefix("W/") for each in asked.split(","))


def fixed(
    request: Request[Any, Any, Any],
    content: bytes,
    *,
    fingerprint: str | None = None,
    for_good: bool = False,
) -> Response[Any]:
    """Answer with content that a browser may keep, or say that what it has still holds."""
    tag = f'"{fingerprint or hashlib.sha256(content).hexdigest()}"'
    return _answer(request, content, tag, FOR_GOOD if for_good else _FOR_A_DAY)


def kept_until_changed(request: Request[Any, Any, Any], content: bytes) -> Response[Any]:
    """Answer with content of this moment, or say that it is what the browser has."""
    tag = f'"{hashlib.sha256(content).hexdigest()}"'
    return _answer(request, content, tag, _UNTIL_CHANGED)


def _answer(request: Request[Any, Any, Any], content: bytes, tag: str, kept: str) -> Response[Any]:
    headers = {"etag": tag, "cache-control": kept}
    if still_holds(request, tag):
        return Response(None, status_code=304, headers=headers, media_type=MediaType.JSON)
    return Response(content, headers=headers, media_type=MediaType.JSON)
