"""The settings of a venue, as they are sent to its gateways."""

from pathlib import Path

import msgspec

from taisai.server.settings import Settings


def write_settings(settings: Settings) -> bytes:
    """Write settings as JSON."""
    return msgspec.json.encode(settings, enc_hook=str)


def read_settings(data: bytes) -> Settings:
    """Read settings as they were written."""
    return msgspec.json.decode(data, type=Settings, dec_hook=_path)


def _path(kind: type, text: str) -> Path:
    assert kind is Path, "nothing else in settings is unknown to JSON"
    return Path(text)
