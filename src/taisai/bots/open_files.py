"""How many files a process may have open: each connection is one."""

import resource

#: What a process has open besides its connections.
SPARE = 100


def allow_open_files(wanted: int) -> int:
    """Raise what this process may have open as far as is allowed, and give how much that is."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    unlimited = resource.RLIM_INFINITY
    if soft != unlimited and soft < wanted:
        soft = wanted if hard == unlimited else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return wanted if soft == unlimited else soft
