/** A round's story on paper: every event with its money, then every table with all its rows. */

import type { RoundStoryView } from "../../answers.ts";
import { venue, Money, session } from "../../shell/index.ts";
import { clock, moment, number, useWords } from "../../words/words.ts";
import { accountName } from "./accounts.ts";
import { isChipTable } from "./replay_steps.ts";
import { Tables } from "./story_tables.tsx";
import { Who } from "./who.tsx";

interface PrintedStoryProps {
  readonly story: RoundStoryView;
  readonly nameOf: (box: string) => string;
}

export function PrintedStory({ story, nameOf }: PrintedStoryProps) {
  const t = useWords("audit");
  const atChipTable = isChipTable(story);
  return (
    <>
      <section class="story-part">
        <h2>{t("what_happened")}</h2>
        <table class="audit-table">
          <thead>
            <tr>
              <th scope="col">{t("record_head")}</th>
              <th scope="col">{t("when")}</th>
              <th scope="col">{t("what")}</th>
              <th scope="col">{t("who")}</th>
              <th scope="col">{t("clause")}</th>
            </tr>
          </thead>
          <tbody>
            {story.events.map((event) => (
              <tr key={event.version}>
                <th scope="row">{number(event.version)}</th>
                <td>{clock(event.at)}</td>
                <td>
                  {event.summary}
                  {event.note !== null && event.note !== "" && ` “${event.note}”`}
                  <ul class="printed-postings">
                    {story.postings
                      .filter(({ version }) => version === event.version)
                      .map(({ source, destination, amount }, place) => (
                        <li key={place}>
                          {accountName(t, source, atChipTable)} → {accountName(t, destination, atChipTable)}: <Money cents={amount} />
                        </li>
                      ))}
                  </ul>
                </td>
                <td>
                  <Who event={event} />
                </td>
                <td>{event.clause}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <Tables story={story} nameOf={nameOf} isWhole />
      <Colophon />
    </>
  );
}

/** The venue, and who printed this, and when. */
function Colophon() {
  const t = useWords("audit");
  const who = session.value;
  const person = who === null || who === "asking" ? "" : who.person;
  const blanks = { venue: venue.value?.name ?? "", person, time: moment(Date.now()) };
  return <p class="printed-colophon">{t("printed_by", blanks)}</p>;
}
