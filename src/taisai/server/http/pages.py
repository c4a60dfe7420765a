"""The plain pages: files of the house, and the OpenAPI document."""

from functools import cache
from importlib import resources
from typing import Any

import msgspec
from litestar import Request, Response, get

from taisai.server.http.fixed import fixed
from taisai.server.http.guarding import EVERYBODY

_FILES = {
    "floor.css": "text/css",
    "floor.js": "text/javascript",
    "floor.svg": "image/svg+xml",
}
_OPEN: dict[str, Any] = {"roles": EVERYBODY}


@cache
def _read(name: str) -> bytes:
    return (resources.files("taisai.server") / "pages" / name).read_bytes()


@get("/", include_in_schema=False, opt=_OPEN)
async def front_page() -> Response[bytes]:
    """Show the floor: the tables, one of them live, and in a demo a terminal in one click."""
    headers = {"cache-control": "no-cache"}
    return Response(_read("floor.html"), media_type="text/html", headers=headers)


def _file(name: str, media_type: str) -> Any:
    @get(f"/pages/{name}", include_in_schema=False, opt=_OPEN, name=name)
    async def page_file() -> Response[bytes]:
        """Give a file that a page asks for."""
        headers = {"cache-control": "no-cache"}
        return Response(_read(name), media_type=media_type, headers=headers)

    return page_file


@get("/openapi.json", include_in_schema=False, opt=_OPEN)
async def openapi(request: Request[Any, Any, Any]) -> Response[Any]:
    """Give the document that describes every address."""
    return fixed(request, msgspec.json.encode(request.app.state.document))


handlers = [
    front_page,
    openapi,
    *(_file(name, media_type) for name, media_type in _FILES.items()),
]
