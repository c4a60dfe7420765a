"""Answers that a browser may keep: for good, for a day, or until it hears of another."""

import hashlib
from typing import Any

from litestar import Request, Response
from litestar.enums import MediaType

#: For a day; after that it is asked whether there is another.
FOR_A_DAY = "public, max-age=86400"
#: Named by its own fingerprint, it can be no other.
FOR_GOOD = "public, max-age=31536000, immutable"
#: Kept, and never shown again without asking whether it still holds.
UNTIL_CHANGED = "public, no-cache"


def still_holds(request: Request[Any, Any, Any], tag: str) -> bool:
    """Say whether what a browser has is what it would be sent."""
    asked = request.headers.get("if-none-match", "")
    return tag in (each.strip().removeprefix("W/") for each in asked.split(","))


def fixed(
    request: Request[Any, Any, Any],
    content: bytes,
    keep: str = FOR_A_DAY,
    fingerprint: str | None = None,
) -> Response[Any]:
    """Answer with content that a browser may keep, or say that what it has still holds."""
    tag = f'"{fingerprint or hashlib.sha256(content).hexdigest()}"'
    headers = {"etag": tag, "cache-control": keep}
    if still_holds(request, tag):
        return Response(None, status_code=304, headers=headers, media_type=MediaType.JSON)
    return Response(content, headers=headers, media_type=MediaType.JSON)
