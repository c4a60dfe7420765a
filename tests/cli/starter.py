"""A process that has imported every command once, and forks to run each.

It is run as a program of its own: it has one thread and opens nothing, so that its child processes
begin as `python -m taisai` does, without the time of importing. Requests come over a socket on its
standard input, each with the streams of the new process and one stream for the exit status.
"""

import atexit
import gc
import importlib
import json
import os
import pkgutil
import runpy
import signal
import socket
import sys
import tempfile
import threading
from pathlib import Path

from taisai.rulebooks import KEYS, rulebook

#: The standard streams, and the one for the exit status.
STREAMS = 4
REQUEST_BYTES_MAX = 1 << 20
#: A command that runs for longer hangs: it is killed, as its status shows.
SECONDS_MAX = 300


def run(
    asked: socket.socket, arguments: list[str], data: bytes, cwd: Path
) -> tuple[int, bytes, bytes]:
    """Run a command with these bytes on its standard input; give its status, output and errors."""
    request = {"arguments": arguments, "cwd": str(cwd), "environment": dict(os.environ)}
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        reading, writing = os.pipe()
        status_reading, status_writing = os.pipe()
        streams = [reading, out.fileno(), err.fileno(), status_writing]
        socket.send_fds(asked, [json.dumps(request).encode()], streams)
        os.close(reading)
        os.close(status_writing)
        feeding = threading.Thread(target=_feed, args=(writing, data))
        feeding.start()
        with os.fdopen(status_reading, encoding="ascii") as status:
            ended = status.read()
        feeding.join()
        assert ended, "the process that runs commands is gone"
        out.seek(0)
        err.seek(0)
        return int(ended), out.read(), err.read()


def _feed(writing: int, data: bytes) -> None:
    try:
        with os.fdopen(writing, "wb") as stream:
            stream.write(data)
    except BrokenPipeError:
        # A command need not read everything.
        return


def _serve(asked: socket.socket) -> None:
    """Run the requested commands, one after the other, until the socket is closed."""
    while True:
        request, streams, _, _ = socket.recv_fds(asked, REQUEST_BYTES_MAX, STREAMS)
        if not request:
            return
        if not (child := os.fork()):
            _become(asked, streams, **json.loads(request))
        _, status = os.waitpid(child, 0)
        os.write(streams[-1], str(os.waitstatus_to_exitcode(status)).encode())
        for each in streams:
            os.close(each)


def _become(
    asked: socket.socket,
    streams: list[int],
    arguments: list[str],
    cwd: str,
    environment: dict[str, str],
) -> None:
    """Run the command in this process, and end it."""
    signal.alarm(SECONDS_MAX)
    asked.close()
    for number, each in enumerate(streams):
        if number < 3:
            os.dup2(each, number)
        os.close(each)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["taisai", *arguments]
    try:
        runpy.run_module("taisai", run_name="__main__")
    except SystemExit as ended:
        # As an interpreter ends, but without freeing every imported module.
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
        sys.stdout.flush()
        os._exit(int(ended.code or 0))


def _import_every_command() -> None:
    """Import every module of the commands, and read the rulebooks that come with them."""
    package = importlib.import_module("taisai.cli")
    for module in pkgutil.walk_packages(package.__path__, "taisai.cli."):
        importlib.import_module(module.name)
    for key in KEYS:
        rulebook(key)
    # Objects from before the fork are never garbage-collected again.
    gc.collect()
    gc.freeze()


if __name__ == "__main__":
    _import_every_command()
    # Standard input's number is then free for the streams of the commands.
    moved = os.dup(0)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    _serve(socket.socket(fileno=moved))
