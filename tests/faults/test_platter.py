"""What the model of a disk keeps and loses, checked by hand."""

from random import Random

from tests.faults.platter import SECTOR, Content, Loss, Platter, Write

SEEDS = range(200)


def after(content: Content, loss: Loss = Loss.SOME) -> set[bytes]:
    """Give every content of a file that cuts of many seeds leave."""
    return {content.after(loss, Random(seed)) for seed in SEEDS}


def test_what_was_synced_is_never_lost() -> None:
    content = Content()
    content.write(0, b"ab")
    content.write(1, b"c")
    content.sync()
    assert after(content) == {b"ac"}


def test_what_was_not_synced_is_kept_or_dropped_each_by_itself() -> None:
    content = Content()
    content.write(0, b"....")
    content.sync()
    content.write(0, b"a")
    content.write(3, b"b")
    assert after(content) == {b"....", b"a...", b"...b", b"a..b"}
    assert after(content, Loss.NOTHING) == {b"a..b"}
    assert after(content, Loss.EVERYTHING) == {b"...."}


def test_a_write_behind_a_lost_one_leaves_zeros_between() -> None:
    content = Content()
    content.write(0, b"a")
    content.write(1, b"b")
    assert after(content) == {b"", b"a", b"\0b", b"ab"}


def test_a_write_is_torn_where_sectors_meet_and_nowhere_else() -> None:
    content = Content()
    content.write(0, bytes(3 * SECTOR))
    content.sync()
    content.write(SECTOR - 1, b"x" * (SECTOR + 2))
    assert [(each.offset, len(each.data)) for each in Write(511, b"x" * 514).sectors()] == [
        (511, 1),
        (512, 512),
        (1024, 1),
    ]
    parts = [(511, 1), (512, 512), (1024, 1)]
    possible = set()
    for kept in range(8):
        data = bytearray(3 * SECTOR)
        for bit, (offset, size) in enumerate(parts):
            if kept >> bit & 1:
                data[offset : offset + size] = b"x" * size
        possible.add(bytes(data))
    assert after(content) == possible


def test_a_cut_is_kept_or_dropped() -> None:
    content = Content()
    content.write(0, b"abcd")
    content.sync()
    content.cut(2)
    assert content.size == 2
    assert after(content) == {b"abcd", b"ab"}
    content.cut(3)
    content.sync()
    assert after(content) == {b"ab\0"}


def test_no_later_sync_brings_back_what_a_failed_one_lost() -> None:
    left = set()
    for seed in SEEDS:
        content = Content()
        content.write(0, b"a")
        content.fail_to_sync(Random(seed))
        content.write(1, b"b")
        content.sync()
        left.add(content.after(Loss.NOTHING, Random(seed)))
    assert left == {b"\0b", b"ab"}


def names(platter: Platter) -> set[tuple[str, ...]]:
    """Give every set of names that cuts of many seeds leave."""
    return {tuple(platter.after(Loss.SOME, Random(seed))) for seed in SEEDS}


def test_names_are_safe_when_the_directory_is_synced() -> None:
    platter = Platter()
    platter.create("a").sync()
    assert names(platter) == {(), ("a",)}
    platter.sync_directory()
    assert names(platter) == {("a",)}
    platter.delete("a")
    assert platter.find("a") is None
    assert names(platter) == {(), ("a",)}
    platter.sync_directory()
    assert names(platter) == {()}


def test_a_file_made_again_may_be_the_old_one_after_a_cut() -> None:
    platter = Platter()
    platter.adopt("a", b"old")
    platter.delete("a")
    new = platter.create("a")
    new.write(0, b"new")
    new.sync()
    left = {platter.after(Loss.SOME, Random(seed)).get("a") for seed in SEEDS}
    assert left == {b"old", None, b"new"}
