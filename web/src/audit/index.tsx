/** Audit: a round in full and replayed, significant events, proof of the journal, exports. */

import { useRef } from "preact/hooks";

import type { SessionView } from "../answers.ts";
import { useCurrentInView } from "../shell/current_in_view.ts";
import { here, NeedsStaff } from "../shell/index.ts";
import { useWords } from "../words/words.ts";
import { addressIn, partOf, partsFor, ROLES, roundOf, type Part } from "./address.ts";
import { Events } from "./events.tsx";
import { Exports } from "./exports.tsx";
import { Find } from "./find.tsx";
import { FindRound } from "./find_round.tsx";
import { Journal } from "./journal.tsx";
import { Meters } from "./meters.tsx";
import { RoundPage } from "./round/round_page.tsx";
import "./audit.css";

export default function Audit() {
  return <NeedsStaff roles={ROLES}>{(_, who) => <Desk who={who} />}</NeedsStaff>;
}

function Desk({ who }: { readonly who: SessionView }) {
  const t = useWords("audit");
  const part = partOf(here.value.query, who.role);
  const parts = useRef<HTMLElement>(null);
  useCurrentInView(parts, part);
  return (
    <div class="audit">
      <nav ref={parts} class="audit-parts scrolls-aside" aria-label={t("parts")}>
        {partsFor(who.role).map((each) => (
          <a
            key={each}
            class="audit-part"
            href={addressIn(each)}
            aria-current={each === part ? "page" : undefined}
          >
            {t(`part_${each}`)}
          </a>
        ))}
      </nav>
      <div class="audit-content">
        <Content part={part} />
      </div>
    </div>
  );
}

function Content({ part }: { readonly part: Part }) {
  const named = roundOf(here.value.query);
  switch (part) {
    case "rounds":
      if (named === null) return <FindRound />;
      return <RoundPage key={`${named.table} ${named.round}`} table={named.table} round={named.round} />;
    case "find":
      return <Find />;
    case "events":
      return <Events />;
    case "journal":
      return <Journal />;
    case "exports":
      return <Exports />;
    case "meters":
      return <Meters />;
  }
}
