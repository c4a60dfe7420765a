"""Answers that never change under their address: a browser keeps them."""

import hashlib
from typing import Any

from litestar import Request, Response
from litestar.enums import MediaType

#: For a day; after that it is asked whether there is another.
_FOR_A_DAY = "public, max-age=86400"
#: Named by its own fingerprint, it can be no other.
_FOR_GOOD = "public, max-age=31536000, immutable"


def fixed(
    request: Request[Any, Any, Any],
    content: bytes,
    *,
    fingerprint: str | None = None,
    for_good: bool = False,
) -> Response[Any]:
    """Answer with content that a browser may keep, or say that what it has still holds."""
    tag = f'"{fingerprint or hashlib.sha256(content).hexdigest()}"'
    headers = {"etag": tag, "cache-control": _FOR_GOOD if for_good else _FOR_A_DAY}
    asked = request.headers.get("if-none-match", "")
    if tag in (each.strip().removeprefix("W/") for each in asked.split(",")):
        return Response(None, status_code=304, headers=headers, media_type=MediaType.JSON)
    return Response(content, headers=headers, media_type=MediaType.JSON)
