"""What a node concludes from the beats that it sees, each by its own clock."""

from collections.abc import Mapping

import pytest

from taisai.runtime.ownership.tenure import Duties, NodeRow, OwnerRow, Seen, Taking, Tenure, Terms

TERMS = Terms(beat=0.1, suspend=0.75, take_over=0.9, grace=1.0)
NOBODY = Duties((), (), ())


class Beats:
    """A node that beats ten times a second, and sees the beats of another."""

    def __init__(self, owners: list[OwnerRow], *, draining: bool = False) -> None:
        self.tenure = Tenure("here", TERMS, {})
        self.owners = owners
        self.now = 100.0
        self._here = NodeRow("here", 1, ("owner",), 0, draining)
        self._there = NodeRow("there", 2, ("owner",), 0, False)

    def beat(self, *, heard: bool = True, after: float = 0.1, took: float = 0.0) -> Duties:
        """Beat once more; the other node has beaten meanwhile if it is `heard`."""
        self.now += after
        self._here = self._here._replace(beat=self._here.beat + 1)
        self._there = self._there._replace(beat=self._there.beat + heard)
        seen = Seen([self._here, self._there], self.owners, 0)
        asked, self.now = self.now, self.now + took
        return self.tenure.note(seen, asked, self.now)

    def until_taken(self, *, took: float = 0.0) -> float:
        """Beat, with the other silent, until a stream is to be taken; gives how long that took."""
        began = self.now
        while not self.beat(heard=False, took=took).take:
            pass
        return self.now - took - began


def owned_by(node: str | None, *, wanted: str | None = None, epoch: int = 4) -> list[OwnerRow]:
    """Give the row of one stream."""
    return [OwnerRow("table/A", epoch, node, "owner", wanted)]


def held(tenure: Tenure, epochs: Mapping[str, int]) -> Tenure:
    """Make a tenure that has held these streams for long."""
    tenure.epochs.update(epochs)
    return tenure


def test_whoever_is_heard_of_is_left_alone() -> None:
    beats = Beats(owned_by("there"))
    assert all(beats.beat() == NOBODY for _ in range(50))


def test_who_is_silent_for_long_enough_is_taken_over_by_what_was_seen_last() -> None:
    beats = Beats(owned_by("there"))
    for _ in range(30):
        beats.beat()
    assert beats.until_taken() == pytest.approx(TERMS.take_over, abs=0.11)
    assert beats.beat(heard=False).take == (Taking("table/A", 4, "there", 30, 2),)


def test_silence_is_counted_from_an_answer_to_a_question() -> None:
    """A beat may be as new as the answer that shows it: slow answers cost no node its streams."""
    beats = Beats(owned_by("there"))
    for _ in range(30):
        beats.beat(took=0.3)
    last_answered = beats.now
    beats.until_taken(took=0.3)
    assert beats.now - 0.3 - last_answered >= TERMS.take_over


def test_whoever_was_away_oneself_has_heard_nothing_of_anybody() -> None:
    beats = Beats(owned_by("there"))
    for _ in range(30):
        beats.beat()
    # As when the database was unreachable, or this process was stopped.
    assert beats.beat(heard=False, after=60.0) == NOBODY
    assert beats.until_taken() >= TERMS.take_over + TERMS.grace


def test_a_short_stall_of_the_database_counts_as_little() -> None:
    beats = Beats(owned_by("there"))
    for _ in range(30):
        beats.beat()
    for _ in range(4):
        assert beats.beat(heard=False, after=0.7) == NOBODY


def test_the_right_to_decide_ends_before_anybody_may_find_one_silent() -> None:
    beats = Beats(owned_by("here"))
    tenure = held(beats.tenure, {"table/A": 4})
    beats.beat(took=0.2)
    sent = beats.now - 0.2
    assert tenure.holds("table/A", sent + 0.74) == 4
    assert tenure.holds("table/A", sent + 0.76) is None
    assert tenure.holds("table/B", sent) is None
    assert TERMS.suspend < TERMS.take_over


def test_what_another_has_by_now_is_lost_and_what_was_taken_meanwhile_is_not() -> None:
    beats = Beats(owned_by("there", epoch=5))
    tenure = held(beats.tenure, {"table/A": 4})
    assert beats.beat().lost == ("table/A",)
    assert tenure.epochs == {}
    # The row was read before the stream was taken, and the answer came after.
    tenure.take({"table/A": 6}, beats.now, beats.now + 0.15)
    assert beats.beat(took=0.1).lost == ()
    assert tenure.epochs == {"table/A": 6}


def test_what_was_taken_before_one_fell_silent_counts_for_nothing_after() -> None:
    """Another node may have taken it over since, though this one has not seen it yet."""
    beats = Beats(owned_by("here", epoch=5))
    beats.beat()
    sent = beats.now
    # Stopped while the answer was under way, and continued.
    beats.tenure.take({"table/A": 5}, sent, sent + 3.0)
    assert beats.tenure.epochs == {}
    beats.beat(after=3.0)
    beats.tenure.take({"table/A": 5}, sent, beats.now)
    assert beats.tenure.epochs == {}
    # It is taken anew, with another epoch.
    assert beats.beat().take == (Taking("table/A", 5, None, None, None),)
    beats.tenure.take({"table/A": 6}, beats.now, beats.now)
    assert beats.tenure.holds("table/A", beats.now) == 6


def test_a_stream_that_is_gone_is_lost() -> None:
    beats = Beats([])
    held(beats.tenure, {"table/A": 4})
    assert beats.beat().lost == ("table/A",)


def test_one_of_two_takes_what_is_nobodys_and_they_agree_which() -> None:
    rows = [OwnerRow(f"table/{number}", 0, None, "owner", None) for number in range(100)]
    nodes = [NodeRow(name, 1, ("owner",), 0, False) for name in ("here", "there")]
    taken = [
        {each.stream for each in Tenure(node, TERMS, {}).note(Seen(nodes, rows, 0), 1.0, 1.0).take}
        for node in ("here", "there")
    ]
    assert not taken[0] & taken[1]
    assert taken[0] | taken[1] == {row.stream for row in rows}
    assert all(len(each) > 30 for each in taken)


def test_nobody_takes_what_is_for_nodes_of_another_role() -> None:
    beats = Beats([OwnerRow("cage", 0, None, "office", None)])
    assert beats.beat() == NOBODY


def test_what_one_had_before_a_restart_is_taken_anew_and_ends_nobodys_sessions() -> None:
    for stream in ("table/A", "table/B", "table/C", "table/D"):
        beats = Beats([OwnerRow(stream, 4, "here", "owner", None)])
        assert beats.beat().take == (Taking(stream, 4, None, None, None),)


def test_a_stream_goes_where_it_is_wanted_if_anybody_is_there() -> None:
    beats = Beats(owned_by("here", wanted="there"))
    held(beats.tenure, {"table/A": 4})
    assert beats.beat().leave == ("table/A",)
    beats.owners = owned_by("here", wanted="here")
    assert beats.beat().leave == ()
    beats.owners = owned_by("here", wanted="nowhere")
    assert beats.beat().leave == ()


def test_a_node_that_is_drained_leaves_all_and_takes_nothing() -> None:
    beats = Beats([*owned_by("here"), OwnerRow("table/B", 0, None, "owner", None)], draining=True)
    held(beats.tenure, {"table/A": 4})
    found = beats.beat()
    assert (found.leave, found.take) == (("table/A",), ())


def test_a_node_that_is_drained_keeps_what_nobody_else_could_have() -> None:
    beats = Beats(owned_by("here"), draining=True)
    held(beats.tenure, {"table/A": 4})
    for _ in range(30):
        beats.beat(heard=False)
    assert beats.beat(heard=False).leave == ()


@pytest.mark.parametrize("draining", [False, True])
def test_what_is_being_left_is_not_taken_back(*, draining: bool) -> None:
    """The beat may be sent after the stream is left, and read before the database knows that."""
    beats = Beats(owned_by("here", wanted="there"), draining=draining)
    held(beats.tenure, {"table/A": 4})
    assert beats.beat().leave == ("table/A",)
    assert beats.tenure.leave("table/A") == 4
    # Releases are synced, one after the other.
    for _ in range(3):
        assert beats.beat() == NOBODY
    beats.tenure.left("table/A", beats.now)
    beats.owners = owned_by(None, wanted="there")
    assert beats.beat() == NOBODY


def test_what_could_not_be_left_is_had_again() -> None:
    """No other node would take it: its row names this node, which still beats."""
    beats = Beats(owned_by("here", wanted="there"))
    held(beats.tenure, {"table/A": 4})
    beats.tenure.leave("table/A")
    beats.tenure.left("table/A", beats.now)
    assert beats.beat().take == (Taking("table/A", 4, None, None, None),)
    # A stream that the node does not hold cannot be left, and may be taken.
    assert beats.tenure.leave("table/A") is None
    assert beats.beat().take == (Taking("table/A", 4, None, None, None),)


def test_what_one_cannot_open_is_for_another_and_what_is_an_offices_stays_together() -> None:
    names = ("here", "there", "yonder")
    nodes = [NodeRow(name, 1, ("owner", "office"), 0, False) for name in names]
    offices = [OwnerRow(stream, 4, "here", "office", None) for stream in ("cage", "venue")]
    rows = [*offices, OwnerRow("table/A", 4, "here", "owner", "here")]
    tenure = held(Tenure("here", TERMS, {}), {row.stream: 4 for row in rows})
    seen = Seen(nodes, rows, 0)
    tenure.note(seen, 1.0, 1.0)
    (heir,) = {*tenure.heirs("venue", seen).values()}
    assert tenure.heirs("venue", seen) == {"cage": heir, "venue": heir}
    assert tenure.heirs("table/A", seen)["table/A"] in names[1:]
    # Passed on again and again, the stream comes to every node.
    passed_on = [Seen(nodes, [rows[2]._replace(epoch=epoch)], 0) for epoch in range(1, 20)]
    assert {tenure.heirs("table/A", each)["table/A"] for each in passed_on} == {*names[1:]}
    # No other node is there, or none has the role.
    assert tenure.heirs("table/A", Seen(nodes[:1], rows, 0)) == {}
    assert tenure.heirs("venue", Seen([*nodes[:1], nodes[1]._replace(roles=())], rows, 0)) == {}
    assert tenure.heirs("table/B", seen) == {}
