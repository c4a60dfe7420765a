"""The screens as a venue serves them: one page, files that are cached for good, compressed once."""

import gzip
import re
from pathlib import Path

import httpx
import pytest

from taisai.server.http.site import pages
from tests.kit.desk import Desk

ADDRESS = re.compile(r'(?:src|href)="(/pages/[^"]+)"')


def test_the_camera_is_open_to_the_cage_alone(desk: Desk) -> None:
    for path in (*pages.SCREENS, "/cage?view=x", "/cage/x", "/api/venue", "/cages"):
        policy = desk.client.get(path).headers["permissions-policy"]
        opened = "camera=(self)" if path.partition("?")[0] == "/cage" else "camera=()"
        assert policy.split(", ")[0] == opened, path
        assert "microphone=()" in policy


def plain(desk: Desk, path: str, **headers: str) -> httpx.Response:
    """Request a page, or a file of one, uncompressed unless the headers say otherwise."""
    return desk.client.get(path, headers={"accept-encoding": "identity", **headers})


def names(desk: Desk) -> list[str]:
    """Name the files that the page loads."""
    return ADDRESS.findall(plain(desk, "/").text)


@pytest.mark.parametrize("path", [*pages.SCREENS, "/play?table=sic-bo", "/display?language=en"])
def test_every_screen_has_its_address(desk: Desk, path: str) -> None:
    answer = plain(desk, path)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    assert answer.content == plain(desk, "/").content
    assert "<style" not in answer.text, "the venue's policy forbids it"
    assert not re.search(r"<script(?![^>]*\bsrc=)", answer.text)


def test_the_page_names_files_that_are_there_and_kept_for_good(desk: Desk) -> None:
    found = names(desk)
    kinds = {Path(name).suffix for name in found}
    assert {".js", ".css", ".svg"} <= kinds
    for name in found:
        answer = plain(desk, name)
        assert answer.status_code == 200, name
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert answer.headers["content-type"].startswith(("text/", "image/svg+xml")), name
        assert re.search(r"-[\w-]{8}\.\w+$", name), "named by its content"


def test_a_file_comes_compressed_to_whoever_takes_it_so(desk: Desk) -> None:
    scripts = [name for name in names(desk) if name.endswith(".js")]
    script = max(scripts, key=lambda name: len(plain(desk, name).content))
    as_it_is = plain(desk, script)
    with desk.client.stream("GET", script, headers={"accept-encoding": "br, gzip"}) as answer:
        sent = b"".join(answer.iter_raw())
        smaller = answer
    assert smaller.headers["content-encoding"] == "gzip"
    assert gzip.decompress(sent) == as_it_is.content
    assert int(smaller.headers["content-length"]) == len(sent) < len(as_it_is.content)
    assert smaller.headers["content-type"] == as_it_is.headers["content-type"]
    assert "content-encoding" not in as_it_is.headers
    assert as_it_is.headers["vary"] == smaller.headers["vary"] == "accept-encoding"
    assert as_it_is.headers["etag"] != smaller.headers["etag"], "two forms, two tags"


@pytest.mark.parametrize("path", ["/", "/pages/"])
def test_what_a_browser_has_is_not_sent_again(desk: Desk, path: str) -> None:
    path = path if path == "/" else names(desk)[0]
    tag = plain(desk, path).headers["etag"]
    again = plain(desk, path, **{"if-none-match": f'"other", W/{tag}'})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == tag
    assert plain(desk, path, **{"if-none-match": '"other"'}).status_code == 200


@pytest.mark.parametrize(
    "name",
    ["index.html", "manifest.json", "none.js", "..%2fhttp%2fpages.py", "%2e%2e/x.js", ".js"],
)
def test_nothing_else_is_a_file_of_a_page(desk: Desk, name: str) -> None:
    answer = plain(desk, f"/pages/{name}")
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize(
    ("accepted", "takes"),
    [
        ("gzip", True),
        ("deflate, GZIP;q=0.5, br", True),
        ("gzip; q=0", False),
        ("gzip;q=0.000, *", False),
        ("*", True),
        ("*;q=0", False),
        ("br, deflate", False),
        ("", False),
        ("x-gzip-like", False),
    ],
)
def test_who_takes_gzip(accepted: str, takes: bool) -> None:
    assert pages.takes_gzip(accepted) is takes


def test_a_file_that_gains_nothing_is_sent_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text("export{}")
    (tmp_path / "b.css").write_text("a{}")
    (tmp_path / "b.css.gz").write_bytes(gzip.compress(b"a{}"))
    (tmp_path / "manifest.json").write_text("{}")
    read = pages.read_built(tmp_path)
    assert {*read} == {"a.js", "b.css"}, "what the build noted down is nobody's"
    assert read["a.js"].compressed is None
    assert read["b.css"].compressed is not None


def test_screens_that_were_not_built_are_told_in_a_page(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nothing = pages.read_built(tmp_path / "built")
    monkeypatch.setattr(pages, "built_files", lambda: nothing)
    answer = plain(desk, "/console?table=sic-bo")
    assert answer.status_code == 503
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert "<pre>make web</pre>" in answer.text
    assert plain(desk, "/pages/index.js").status_code == 404
    assert desk.get("visitor", "/api/venue").status_code == 200


BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


@pytest.mark.parametrize("path", ["/tables", "/console/T1", "/api/no", "/play/../nowhere?x=1"])
def test_a_person_at_an_unknown_address_is_shown_a_page_and_a_program_a_problem(
    desk: Desk, path: str
) -> None:
    shown = plain(desk, path, accept=BROWSER)
    assert shown.status_code == 404
    assert shown.headers["content-type"] == "text/html; charset=utf-8"
    assert "content-security-policy" in shown.headers
    assert shown.content == plain(desk, "/").content
    for accept in ("*/*", "application/json", "text/html;q=0, */*"):
        told = plain(desk, path, accept=accept)
        assert (told.status_code, told.headers["content-type"]) == (404, "application/problem+json")
    posted = desk.client.post(path, headers={"accept": BROWSER})
    assert posted.headers["content-type"] == "application/problem+json"
