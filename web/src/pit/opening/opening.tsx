/** What a closed table needs before it opens: each item is there, or has a button to provide it. */

import { useSignal } from "@preact/signals";

import type { Awaited, Opening, Wanted } from "../../answers.ts";
import { useSecondsUntil } from "../../shell/countdown.ts";
import { OpenDayForm } from "../../console/money/forms/day_forms.tsx";
import type { WireCommand } from "../../protocol.ts";
import { Button } from "../../shell/index.ts";
import { cited, clock, useWords } from "../../words/words.ts";
import { AdoptForm } from "./adopt_form.tsx";
import { useRequest, type TableRequest } from "../requests.ts";
import { ActForm } from "./act_form.tsx";
import { DiceForm } from "../dice/dice_form.tsx";
import type { Floor } from "../floor.ts";
import { LimitsForm } from "../limits/limits_form.tsx";
import { NoteForm } from "../table/note_form.tsx";
import type { Seen } from "../tables/condition.ts";
import "./opening.css";

/** The part of the floor needed to show the items and to provide them. */
type Asked = Pick<Floor, "ask" | "waiting" | "now" | "mayAct">;

interface Props {
  readonly floor: Asked;
  /** The table as the pit sees it; without it only the table's devices are shown. */
  readonly seen: Seen | null;
  readonly opening: Opening;
}

export function OpeningList({ floor, seen, opening }: Props) {
  const t = useWords("pit");
  const table = opening.table;
  const request = useRequest(floor, table);
  const formed = useSignal<string | null>(null);
  const refusal = request.refused.value;
  const item = formed.value === null ? undefined : opening.wanted.find(({ code }) => code === formed.value);
  return (
    <>
      {seen !== null && <p class="pit-quiet">{t(opening.ready ? "opening_ready" : "opening_how")}</p>}
      {opening.checked_by !== null && <p class="pit-quiet">{t("checks_by", { by: opening.checked_by })}</p>}
      <ol class="pit-opening">
        {opening.wanted.map((wanted) => (
          <WantedItem
            key={wanted.code}
            floor={floor}
            wanted={wanted}
            awaited={floor.waiting(table).find(({ command }) => command["type"] === wanted.step.command) ?? null}
            busy={request.busy.value === wanted.step.command}
            onTake={() => {
              if (wanted.step.give === null) formed.value = wanted.code;
              else void request.ask(wanted.step.give);
            }}
            onWithdraw={(command) => void request.ask(command)}
          />
        ))}
      </ol>
      <div role="alert">
        {refusal !== null && formed.value === null && <p class="pit-refused">{refusal.sentence}</p>}
      </div>
      {item !== undefined && (
        <Form seen={seen} wanted={item} request={request} onClose={() => (formed.value = null)} />
      )}
    </>
  );
}

interface FormProps {
  readonly seen: Seen | null;
  readonly wanted: Wanted;
  readonly request: TableRequest;
  readonly onClose: () => void;
}

/** The form of a step that needs values. */
function Form({ seen, wanted, request, onClose }: FormProps) {
  const ask = (command: WireCommand) => request.ask(command);
  const view = seen?.live?.view.value ?? null;
  const table = seen?.live?.chipTable.value ?? null;
  switch (wanted.step.command) {
    case "AdoptRulebook":
      return <AdoptForm title={wanted.step.label} onAsk={ask} onClose={onClose} />;
    case "SetLimits":
      return (
        <LimitsForm
          limits={view?.limits ?? seen?.reported.limits ?? null}
          rulebook={view?.rulebook ?? null}
          step={wanted.step}
          onAsk={(limits) => ask({ type: "SetLimits", limits })}
          onClose={onClose}
        />
      );
    case "OpenDay":
      return table === null ? null : <OpenDayForm table={table} ask={ask} onClose={onClose} />;
    case "RegisterDice":
      return <DiceForm title={wanted.step.label} onAsk={ask} onClose={onClose} />;
    case "Rectify":
      return (
        <NoteForm title={wanted.step.label} onNote={(note) => ask({ type: "Rectify", note })} onClose={onClose} />
      );
    default:
      return <ActForm key={wanted.step.command} wanted={wanted} onAsk={ask} onClose={onClose} />;
  }
}

interface ItemProps {
  readonly floor: Asked;
  readonly wanted: Wanted;
  /** The pending command for this item, if there is one. */
  readonly awaited: Awaited | null;
  readonly busy: boolean;
  readonly onTake: () => void;
  readonly onWithdraw: (command: WireCommand) => void;
}

function WantedItem({ floor, wanted, awaited, busy, onTake, onWithdraw }: ItemProps) {
  const t = useWords("pit");
  const { name, done, value, clause, step, withdraw } = wanted;
  const away = withdraw == null || withdraw.standing === "refused" ? null : withdraw.give;
  const left = useSecondsUntil(awaited?.expires ?? null, floor.now);
  const waits = awaited !== null && left.value !== null && left.value > 0;
  const state = waits ? "waits" : done ? "done" : "wanted";
  const open = step.standing !== "refused" && !waits;
  return (
    <li class={`pit-wanted pit-wanted-${state}`}>
      <span class="pit-wanted-mark" aria-hidden="true">
        {{ waits: "◷", done: "✓", wanted: "○" }[state]}
      </span>
      <div class="pit-wanted-words">
        <p>
          <span class="unseen">{t(`wanted_${state}`)} </span>
          {name}
          {clause !== null && <span class="pit-clause">{cited(t, clause)}</span>}
        </p>
        {value !== null && <p class="pit-quiet">{value}</p>}
        {waits && awaited.expires !== null && <WaitsUntil until={awaited.expires} seconds={left.value ?? 0} />}
        {!done && !waits && step.standing === "refused" && <p class="pit-why">{step.sentence}</p>}
      </div>
      {floor.mayAct && open && (!done || step.give === null) && (
        <Button kind={step.standing === "next" ? "main" : "plain"} busy={busy} onClick={onTake}>
          {step.label}
          {step.give === null && "…"}
        </Button>
      )}
      {floor.mayAct && away !== null && (
        <Button kind="quiet" aria-label={t("withdraw_of", { name, value: value ?? "" })} onClick={() => onWithdraw(away)}>
          {withdraw?.label}
        </Button>
      )}
    </li>
  );
}

function WaitsUntil({ until, seconds }: { readonly until: number; readonly seconds: number }) {
  const t = useWords("console");
  return <p class="pit-waits">{t("waits_until", { time: clock(until), seconds })}</p>;
}
