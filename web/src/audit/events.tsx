/** Significant events, which a regulator wants to see apart from the play; and server notices. */

import { useSignal } from "@preact/signals";

import type { EventPage, EventView, Announcement } from "../answers.ts";
import { get } from "../live/index.ts";
import { isDecision, language, moment, number, useWords } from "../words/words.ts";
import { addressIn } from "./address.ts";
import { useLoaded } from "./loading.ts";
import { Pages } from "./pages.tsx";
import { EVERYTHING, isBackwards, Period, queryOf, type PeriodQuery } from "./period.tsx";
import { ShownFiles, type Row } from "./shown_files.tsx";
import { streamName, tableOf } from "./stream.ts";
import { Waiting } from "./waiting.tsx";
import { Who } from "./round/who.tsx";

/** How many events are listed at a time. */
const LISTED = 50;
const NOTICES = 50;

export function Events() {
  const t = useWords("audit");
  const period = useSignal<PeriodQuery>(EVERYTHING);
  return (
    <section class="audit-section">
      <h1>{t("part_events")}</h1>
      <div class="audit-form">
        <Period period={period} />
      </div>
      {!isBackwards(period.value) && <Listed key={JSON.stringify(period.value)} period={period.value} />}
      <Notices />
    </section>
  );
}

function Listed({ period }: { readonly period: PeriodQuery }) {
  const t = useWords("audit");
  const pages = useSignal<readonly (string | undefined)[]>([undefined]);
  const before = pages.value.at(-1);
  const events = useLoaded(`${before} ${language.value}`, (signal) =>
    get<EventPage>(
      "/api/audit/events",
      { ...queryOf(period), before, limit: LISTED, language: true },
      { signal },
    ),
  );
  return (
    <Waiting of={events} meanwhile={t("reading_journal")}>
      {({ events: listed, before: next }) => (
        <>
          {listed.length === 0 && <p class="audit-wait">{t("no_events")}</p>}
          {listed.length > 0 && <ShownFiles name="significant-events" rows={() => listed.map(rowOf)} />}
          <ol class="audit-events">
            {listed.map((event) => (
              <li key={`${event.stream} ${event.version}`}>
                <OneEvent event={event} />
              </li>
            ))}
          </ol>
          <Pages pages={pages} next={next} />
        </>
      )}
    </Waiting>
  );
}

/** An event as a row of a file. */
export function rowOf(event: EventView): Row {
  const { at, stream, version, event: kind, round, terminal, role, person, second, clause, note, summary } = event;
  return { at: new Date(at).toISOString(), stream, version, event: kind, round, terminal, role, person, second, clause, note, summary };
}

export function OneEvent({ event }: { readonly event: EventView }) {
  const t = useWords("audit");
  const table = tableOf(event.stream);
  const { round, clause, note } = event;
  return (
    <article class="audit-event">
      <p class="audit-event-when">
        <time dateTime={new Date(event.at).toISOString()}>{moment(event.at)}</time>
        <span>{streamName(t, event.stream)}</span>
        <span>{t("record", { version: number(event.version) })}</span>
      </p>
      <div>
        <p class="audit-event-said">{event.summary}</p>
        {note !== null && note !== "" && <p class="audit-event-note">“{note}”</p>}
        <p class="audit-event-more">
          <Who event={event} />
          {clause !== null && <span>{t(isDecision(clause) ? "decision_of" : "clause_of", { clause })}</span>}
          {table !== null && round !== null && round > 0 && (
            <a href={addressIn("rounds", { table, round })}>{t("to_round", { round: number(round) })}</a>
          )}
        </p>
      </div>
    </article>
  );
}

/** The subject of a notice in words; subjects of a newer server have none. */
const NOTICES_NAMED = [
  ...["anchor", "snapshot-refused", "suspended", "broken", "interrupted", "copy", "resumed"],
  ...["journal", "clock", "stopping", "verified", "unverified"],
] as const;

function noticeOf(code: string): `notice_${(typeof NOTICES_NAMED)[number] | "other"}` {
  return `notice_${NOTICES_NAMED.find((each) => each === code) ?? "other"}`;
}

/** The notices that the server has sent to the pit since it was started. */
function Notices() {
  const t = useWords("audit");
  const notices = useLoaded(`notices ${language.value}`, (signal) =>
    get<readonly Announcement[]>("/api/audit/notices", { limit: NOTICES, language: true }, { signal }),
  );
  return (
    <>
      <h2>{t("notices")}</h2>
      <p class="audit-hint">{t("notices_hint")}</p>
      <Waiting of={notices}>
        {(listed) =>
          listed.length === 0 ? (
            <p class="audit-wait">{t("no_notices")}</p>
          ) : (
            <ol class="audit-events">
              {listed.map((notice, place) => (
                <li key={place}>
                  <article class="audit-event">
                    <p class="audit-event-when">
                      <time>{moment(notice.at)}</time>
                      <span>{streamName(t, notice.stream)}</span>
                    </p>
                    <div>
                      <p class="audit-event-said">{t(noticeOf(notice.code))}</p>
                      <p class="audit-event-more">{notice.text}</p>
                    </div>
                  </article>
                </li>
              ))}
            </ol>
          )
        }
      </Waiting>
    </>
  );
}
