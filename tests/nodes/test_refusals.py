"""What a node refuses to start with: settings that cannot be used."""

from pathlib import Path

import pytest

from taisai.core.errors import SentenceError
from taisai.runtime.recovery import StartupError
from taisai.server.nodes.checks import check_node
from taisai.server.nodes.cluster import read_cluster, settings_of
from tests.nodes.plans import NODES, plan_at

EVERYWHERE = ".".join("0000")


def checked(file: Path, name: str) -> None:
    """Check the settings of a node as it does at its start."""
    cluster = read_cluster(file)
    plan = cluster.of(name)
    check_node(cluster, plan, settings_of(cluster, plan, None))


@pytest.mark.parametrize(
    ("added", "told"),
    [
        ({"gate": 'proxies = ["bla"]'}, "node gate: the proxy 'bla' is no address"),
        ({"gate": 'address = "junk"'}, "node gate: 'junk' is no address of a venue"),
        ({"gate": 'hosts = ["a b/c"]'}, "node gate: 'a b/c' is no name under which"),
        ({"gate": 'private_key = "k"'}, "node gate: a certificate and its private key go together"),
        ({"gate": 'certificate = "c"\nprivate_key = "k"'}, "gate: there is no certificate c"),
        ({"gate": 'certificate = "junk"\nprivate_key = "junk"'}, "gate: .*junk cannot be used"),
        ({"to_nats": 'authority = "none"'}, "the authority none cannot be used"),
        ({"to_nats": 'password_file = "none"'}, "nats: none cannot be read: No such file"),
    ],
)
def test_settings_that_cannot_be_used_are_refused_at_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, added: dict[str, str], told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("junk").write_text("junk", "utf-8")
    with pytest.raises(SentenceError, match=told):
        checked(plan_at(tmp_path, added=added), "gate")
    with pytest.raises(SentenceError, match="'nats://h:abc' is no address of a NATS server"):
        checked(plan_at(tmp_path, nats="nats://h:abc"), "gate")


@pytest.mark.parametrize("url", ["", "mysql://u@h/x", "venue.sqlite"])
def test_owners_and_offices_need_the_database_that_they_share(tmp_path: Path, url: str) -> None:
    file = plan_at(tmp_path, url)
    checked(file, "gate")
    for name in ("office", "east"):
        with pytest.raises(StartupError, match=r"journal .* is the database that the nodes share"):
            checked(file, name)


@pytest.mark.parametrize("name", NODES)
def test_no_node_of_a_demo_starts_while_one_of_them_is_on_the_network(
    tmp_path: Path, name: str
) -> None:
    text = plan_at(tmp_path, added={"gate": f'host = "{EVERYWHERE}"'})
    with pytest.raises(
        StartupError, match=r"node gate: a demo lets anybody in.*0\.0\.0\.0 is none"
    ):
        checked(text, name)
    checked(plan_at(tmp_path, added={"gate": f'host = "{EVERYWHERE}"'}, demo=False), name)
