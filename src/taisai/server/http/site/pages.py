"""The screens: one page for all of them, and the files it is made of, as they were built from web/.

A file has its own hash in its name, so a browser caches it for ever; the page that names the files
is requested each time. Nothing is compressed here: the build has done that once.
"""

import hashlib
import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import PurePath
from typing import Annotated, Any

import msgspec
from litestar import Request, Response, get
from litestar.exceptions import NotFoundException
from litestar.params import PathParameter
from msgspec import Struct

from taisai.server.http.frame.access import EVERYBODY
from taisai.server.http.frame.caching import FOR_GOOD, fixed, still_holds
from taisai.server.http.frame.problems import not_found, on_http

#: The address of each screen; the script decides what it shows there.
SCREENS = ("/", "/play", "/console", "/pit", "/cage", "/display", "/audit", "/house")
PAGE = "index.html"

_KINDS = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
}
_ASKED_ANEW = "no-cache"
_OPEN: dict[str, Any] = {"roles": EVERYBODY}
#: A coding that a browser accepts, and its weight.
_CODING = re.compile(r"\s*(gzip|\*)\s*(?:;\s*q=\s*([\d.]+)\s*)?", re.IGNORECASE)
#: The weight of a kind that is not accepted.
_REFUSED = re.compile(r"q=\s*0(\.0*)?\s*$")
_NOT_BUILT = b"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tai Sai: the screens are not built</title>
<h1>The screens are not built</h1>
<p>This venue is open, and its tables can be played over the socket, but the files of its screens
are not here. In the source tree, run</p>
<pre>make web</pre>
<p>and start the venue again. An installed package has them: if this is one, install it anew.</p>
</html>
"""

FileName = Annotated[str, PathParameter(max_length=128, description="a file, by its name")]


class BuiltFile(Struct, frozen=True):
    """A file of the screens as it is sent: plain, and compressed if that is smaller."""

    kind: str
    content: bytes
    compressed: bytes | None
    tag: str


@cache
def built_files() -> Mapping[str, BuiltFile]:
    """Read the built files, once; none if nothing was built."""
    return read_built(resources.files("taisai.server") / "pages" / "built")


def read_built(folder: Traversable) -> dict[str, BuiltFile]:
    """Read every file of a folder that a page may request."""
    if not folder.is_dir():
        return {}
    contents = {each.name: each.read_bytes() for each in folder.iterdir() if each.is_file()}
    return {
        name: BuiltFile(
            kind=_KINDS[PurePath(name).suffix],
            content=content,
            compressed=contents.get(f"{name}.gz"),
            tag=hashlib.sha256(content).hexdigest()[:32],
        )
        for name, content in contents.items()
        if PurePath(name).suffix in _KINDS
    }


def takes_gzip(accepted: str) -> bool:
    """Say whether an Accept-Encoding header accepts gzip; a weight of 0 refuses it."""
    weights: dict[str, bool] = {}
    for each in accepted.split(","):
        if found := _CODING.fullmatch(each):
            weights[found[1].lower()] = (found[2] or "1").strip("0.") != ""
    return weights.get("gzip", weights.get("*", False))


def send(request: Request[Any, Any, Any], file: BuiltFile, keep: str) -> Response[bytes]:
    """Answer with a file in a form the browser accepts, or say that its copy is unchanged."""
    compressed = file.compressed if takes_gzip(request.headers.get("accept-encoding", "")) else None
    tag = f'"{file.tag}"' if compressed is None else f'"{file.tag}-gzip"'
    headers = {"etag": tag, "cache-control": keep}
    if file.compressed is not None:
        headers["vary"] = "accept-encoding"
    if still_holds(request, tag):
        return Response(b"", status_code=304, headers=headers, media_type=file.kind)
    if compressed is not None:
        headers["content-encoding"] = "gzip"
    return Response(compressed or file.content, headers=headers, media_type=file.kind)


@get(list(SCREENS), include_in_schema=False, opt=_OPEN)
async def screen(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Show a screen: they are all one page, which finds by its address which of them it is."""
    page = built_files().get(PAGE)
    if page is None:
        headers = {"cache-control": _ASKED_ANEW}
        return Response(_NOT_BUILT, status_code=503, media_type="text/html", headers=headers)
    return send(request, page, _ASKED_ANEW)


def unknown_address(request: Request[Any, Any, Any], error: NotFoundException) -> Response[bytes]:
    """Show a person that there is nothing here, by the page in their language; a program, why."""
    page = built_files().get(PAGE)
    is_read = request.method in ("GET", "HEAD")
    if page is None or not is_read or not takes_page(request.headers.get("accept", "")):
        return on_http(request, error)
    headers = {"cache-control": _ASKED_ANEW, "vary": "accept"}
    return Response(page.content, status_code=404, media_type=page.kind, headers=headers)


def takes_page(accepted: str) -> bool:
    """Say whether an Accept header names pages, as that of a browser does and a program's not."""
    kinds = (each.partition(";") for each in accepted.lower().split(","))
    return any(
        kind.strip() == "text/html" and not _REFUSED.search(weight) for kind, _, weight in kinds
    )


@get("/pages/{name:str}", include_in_schema=False, opt=_OPEN)
async def page_file(request: Request[Any, Any, Any], name: FileName) -> Response[bytes]:
    """Give a file that the page asks for."""
    file = built_files().get(name)
    if file is None or name == PAGE:
        raise not_found("UNKNOWN_FILE")
    return send(request, file, FOR_GOOD)


@get("/openapi.json", include_in_schema=False, opt=_OPEN)
async def openapi(request: Request[Any, Any, Any]) -> Response[Any]:
    """Give the document that describes every address."""
    return fixed(request, msgspec.json.encode(request.app.state.document))
