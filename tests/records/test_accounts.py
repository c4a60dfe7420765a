"""The Audit has a name for every account that money is posted to."""

import re
from pathlib import Path

from taisai.core.kernel.ledger import postings_of
from tests.kit.journals import played

ACCOUNTS = Path(__file__).parent.parent.parent / "web/src/audit/round/accounts.ts"


def test_every_account_of_a_world_has_a_name_on_the_screen() -> None:
    source = ACCOUNTS.read_text("utf-8")
    named = set(re.findall(r'^  "?([\w:-]+)"?: "account_', source, re.MULTILINE))
    posted = {
        account
        for seed in (34, 35, 40)
        for decided in played(seed, 60, chip_table_share=1)
        for event in decided.events
        for posting in postings_of(event)
        for account in (posting.source, posting.destination)
    }
    unnamed = {each for each in posted if {each, each.partition(":")[0]}.isdisjoint(named)}
    assert unnamed == set()
    assert {each.partition(":")[0] for each in posted} >= {"terminal", "stake", "unclaimed"}
