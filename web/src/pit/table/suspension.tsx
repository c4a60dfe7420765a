/** A suspended table: the reason, and a button to resume it. */

import { RESUME } from "../../declared.ts";
import { post } from "../../live/index.ts";
import type { Resumed } from "../../answers.ts";
import { Button, Fault, notify, useSending } from "../../shell/index.ts";
import { useWords } from "../../words/words.ts";
import type { Floor } from "../floor.ts";
import type { Seen } from "../tables/condition.ts";
import "./suspension.css";

/** Streams other than tables that can be suspended, by their alert. */
const BESIDE = { PIT_CAGE_SUSPENDED: "cage", PIT_VENUE_SUSPENDED: "venue" } as const;

/** Resumes the cage or the venue's own stream; shown below the alert that it is suspended. */
export function ResumeBeside({ floor, code }: { readonly floor: Floor; readonly code: string }) {
  const t = useWords("pit");
  const { fault, busy, send } = useSending();
  const stream = code in BESIDE ? BESIDE[code as keyof typeof BESIDE] : null;
  if (stream === null) return null;
  const resume = async (): Promise<void> => {
    await post<Resumed>(`/api/${stream}/resume`, undefined);
    notify(() => t(`resumed_${stream}`));
    floor.pit.refresh();
  };
  return (
    <>
      {RESUME.includes(floor.who.role) ? (
        <Button busy={busy} onClick={() => send(resume)}>
          {t(`resume_${stream}`)}
        </Button>
      ) : (
        <p class="pit-quiet">{t("resume_who")}</p>
      )}
      <Fault>{fault}</Fault>
    </>
  );
}

export function Suspension({ floor, seen }: { readonly floor: Floor; readonly seen: Seen }) {
  const t = useWords("pit");
  const { fault, busy, send } = useSending();
  const { table, why } = seen.reported;
  const resume = async (): Promise<void> => {
    await post<Resumed>(`/api/tables/${encodeURIComponent(table)}/resume`, undefined);
    notify(() => t("resumed", { table }));
    floor.pit.refresh();
  };
  return (
    <section class="pit-suspension" aria-labelledby="pit-suspension">
      <h3 id="pit-suspension">
        <span aria-hidden="true">▲</span> {t("flag_suspended")}
      </h3>
      {why !== null && <p class="pit-suspension-why">{why}</p>}
      <p>{t("suspended_safe")}</p>
      {RESUME.includes(floor.who.role) ? (
        <Button kind="main" busy={busy} onClick={() => send(resume)}>
          {t("resume")}
        </Button>
      ) : (
        <p class="pit-quiet">{t("resume_who")}</p>
      )}
      <Fault>{fault}</Fault>
    </section>
  );
}
