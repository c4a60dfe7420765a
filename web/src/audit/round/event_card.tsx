/** One event: what happened, who did it, when, by which clause, and the money it moved. */

import type { EventView, RoundStoryView, StoryPosting } from "../../answers.ts";
import { Money } from "../../shell/index.ts";
import { moment, number, useWords } from "../../words/words.ts";
import { accountName } from "./accounts.ts";
import { ChipLists } from "./chip_lists.tsx";
import { isChipTable, movesOf, postingsOf, type Step } from "./replay_steps.ts";
import { Who } from "./who.tsx";

/** How many postings are listed; the table of all postings has the rest. */
const LISTED = 12;

interface EventCardProps {
  readonly story: RoundStoryView;
  readonly step: Step;
  readonly nameOf: (box: string) => string;
  /** Whether the replay is playing: then no step is read out. */
  readonly isPlaying: boolean;
}

export function EventCard({ story, step, nameOf, isPlaying }: EventCardProps) {
  const t = useWords("audit");
  const { event, part } = step;
  const atChipTable = isChipTable(story);
  return (
    <article class="event-card" aria-live={isPlaying ? "off" : "polite"}>
      <p class="event-said">{event.summary}</p>
      {part !== "whole" && <p class="event-part">{t(`part_of_settlement_${part}`)}</p>}
      <EventFacts event={event} />
      {atChipTable && <ChipLists event={event} moves={movesOf(story, step)} nameOf={nameOf} />}
      <Postings postings={postingsOf(story, step)} isChipTable={atChipTable} />
      <p class="event-chain">
        {event.version <= story.chain_unbroken_to ? (
          <>
            <span aria-hidden="true">✓</span> {t("chain_here", { version: number(event.version) })}
          </>
        ) : (
          t("chain_not_read", { version: number(event.version) })
        )}
      </p>
    </article>
  );
}

export function EventFacts({ event }: { readonly event: EventView }) {
  const t = useWords("audit");
  const { clause, note, order } = event;
  return (
    <dl class="event-facts">
      <div>
        <dt>{t("when")}</dt>
        <dd>
          <time dateTime={new Date(event.at).toISOString()}>{moment(event.at)}</time>
        </dd>
      </div>
      <div>
        <dt>{t("who")}</dt>
        <dd>
          <Who event={event} />
        </dd>
      </div>
      {clause !== null && (
        <div>
          <dt>{t("clause")}</dt>
          <dd>{clause}</dd>
        </div>
      )}
      {note !== null && note !== "" && (
        <div>
          <dt>{t("note")}</dt>
          <dd>“{note}”</dd>
        </div>
      )}
      {order !== null && order !== "" && (
        <div>
          <dt>{t("order")}</dt>
          <dd>
            <code>{order}</code>
          </dd>
        </div>
      )}
    </dl>
  );
}

interface PostingsProps {
  readonly postings: readonly StoryPosting[];
  readonly isChipTable: boolean;
}

/** Money from account to account. */
export function Postings({ postings, isChipTable }: PostingsProps) {
  const t = useWords("audit");
  if (postings.length === 0) return <p class="audit-hint">{t("no_postings")}</p>;
  return (
    <>
      <ul class="postings" aria-label={t("postings")}>
        {postings.slice(0, LISTED).map((posting, place) => (
          <li key={place}>
            <span class="posting-from">{accountName(t, posting.source, isChipTable)}</span>
            <span class="posting-arrow" aria-hidden="true">
              →
            </span>
            <span class="unseen">{t("to_account")}</span>
            <span class="posting-to">{accountName(t, posting.destination, isChipTable)}</span>
            <strong>
              <Money cents={posting.amount} />
            </strong>
          </li>
        ))}
      </ul>
      {postings.length > LISTED && (
        <p class="audit-hint">{t.count("postings_more", postings.length - LISTED)}</p>
      )}
    </>
  );
}
