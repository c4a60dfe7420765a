"""Answers that a browser may cache: for ever, for a day, or as long as they are unchanged."""

import hashlib
from typing import Any

from litestar import Request, Response
from litestar.enums import MediaType

#: For a day; after that the browser asks whether it has changed.
FOR_A_DAY = "public, max-age=86400"
#: For ever: the name has the fingerprint of the content.
FOR_GOOD = "public, max-age=31536000, immutable"
#: Cached, but never shown again without asking whether it has changed.
UNTIL_CHANGED = "public, no-cache"


def still_holds(request: Request[Any, Any, Any], tag: str) -> bool:
    """Say whether the content that a browser has cached is unchanged."""
    asked = request.headers.get("if-none-match", "")
    return tag in (each.strip().removeprefix("W/") for each in asked.split(","))


def fixed(
    request: Request[Any, Any, Any],
    content: bytes,
    keep: str = FOR_A_DAY,
    fingerprint: str | None = None,
) -> Response[Any]:
    """Answer with content that a browser may cache, or say that its cached copy is unchanged."""
    tag = f'"{fingerprint or hashlib.sha256(content).hexdigest()}"'
    headers = {"etag": tag, "cache-control": keep}
    if still_holds(request, tag):
        return Response(None, status_code=304, headers=headers, media_type=MediaType.JSON)
    return Response(content, headers=headers, media_type=MediaType.JSON)
