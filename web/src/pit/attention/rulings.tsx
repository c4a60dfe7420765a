/** Matters that await a ruling, with their tables, and the form to rule on them here. */

import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";

import type { Alert, IrregularityList, Pit } from "../../answers.ts";
import type { Given } from "../../console/irregularities/fields.tsx";
import { Irregularities, type Outcome } from "../../console/irregularities/irregularities.tsx";
import { Fresh } from "../../console/polling.ts";
import { ECHO } from "../../console/steps/next.ts";
import type { WireCommand } from "../../protocol.ts";
import { addressOf, Button, Dialog } from "../../shell/index.ts";
import { clock, moment, useWords } from "../../words/words.ts";
import type { Floor } from "../floor.ts";
import "./rulings.css";

/** Alerts about matters that people must decide, and where they decide them. */
const AWAITS = {
  PIT_UNRULED: "here",
  PIT_IN_DOUBT: "waiting",
  PIT_WAITING: "console",
  PIT_STOPPED: "table",
} as const;
type Awaits = keyof typeof AWAITS;

/** The name of the irregularity that a ruling is about. */
const RULING = "ruling";
const SOON_MS = 300;

function awaits(alert: Alert): alert is Alert & { readonly code: Awaits; readonly table: string } {
  return Object.hasOwn(AWAITS, alert.code) && alert.table !== null;
}

interface Props {
  readonly floor: Floor;
  readonly pit: Pit;
}

export function Rulings({ floor, pit }: Props) {
  const t = useWords("pit");
  const ruling = useSignal<string | null>(null);
  const waiting = pit.alerts.filter(awaits);
  const chips = pit.tables.flatMap(({ table }) => {
    const bets = floor.picture(table)?.chipTable.value?.to_rule?.length ?? 0;
    return bets === 0 ? [] : [{ table, bets }];
  });
  const nothing = waiting.length === 0 && chips.length === 0;
  return (
    <section class="pit-part" aria-labelledby="pit-rulings">
      <h2 id="pit-rulings">{t("rulings")}</h2>
      <p class="pit-quiet">{t("rulings_how")}</p>
      {nothing && <p class="pit-quiet">{t("rulings_none")}</p>}
      <ul class="pit-rulings">
        {waiting.map((alert) => (
          <li key={alert.alert}>
            <p class="pit-rulings-head">
              <a href={addressOf("pit", alert.table)}>{alert.table}</a>
              <span>{t("ruling_since", { time: moment(alert.since) })}</span>
            </p>
            <p class="pit-rulings-words">{alert.sentence}</p>
            <Way floor={floor} alert={alert} onRule={() => (ruling.value = alert.table)} />
          </li>
        ))}
        {chips.map(({ table, bets }) => (
          <li key={`chips ${table}`}>
            <p class="pit-rulings-head">
              <a href={addressOf("pit", table)}>{table}</a>
            </p>
            <p class="pit-rulings-words">{t.count("ruling_bets", bets)}</p>
            <ToConsole floor={floor} table={table} />
          </li>
        ))}
      </ul>
      {ruling.value !== null && (
        <RulingForm floor={floor} table={ruling.value} onClose={() => (ruling.value = null)} />
      )}
    </section>
  );
}

interface WayProps {
  readonly floor: Floor;
  readonly alert: Alert & { readonly code: Awaits; readonly table: string };
  readonly onRule: () => void;
}

/** Where it is decided: here, among pending commands, on the table's page, or at its console. */
function Way({ floor, alert, onRule }: WayProps) {
  const t = useWords("pit");
  switch (AWAITS[alert.code]) {
    case "here":
      return floor.mayAct ? (
        <p class="pit-acts">
          <Button kind="main" onClick={onRule}>
            {t("rule_on_it")}
          </Button>
        </p>
      ) : null;
    case "waiting":
      return <p class="pit-quiet">{t("ruling_beside")}</p>;
    case "console":
      return <ToConsole floor={floor} table={alert.table} />;
    case "table":
      return (
        <p class="pit-acts">
          <a class="button button-plain" href={addressOf("pit", alert.table)}>
            {t("ruling_at_table")}
          </a>
        </p>
      );
  }
}

function ToConsole({ floor, table }: { readonly floor: Floor; readonly table: string }) {
  const t = useWords("pit");
  if (!floor.mayAct) return null;
  return (
    <p class="pit-acts">
      <a class="button button-plain" href={addressOf("console", table)}>
        {t("to_console")}
      </a>
    </p>
  );
}

interface FormProps {
  readonly floor: Floor;
  readonly table: string;
  readonly onClose: () => void;
}

/** The form of a ruling, as at the Game Console: the server previews it while it is filled in. */
function RulingForm({ floor, table, onClose }: FormProps) {
  const t = useWords("pit");
  const console = useWords("console");
  const fresh = useMemo(
    () => new Fresh<IrregularityList>(`/api/tables/${encodeURIComponent(table)}/irregularities`, SOON_MS),
    [table],
  );
  useEffect(() => {
    fresh.refresh({});
    return () => fresh.end();
  }, [fresh]);
  const { value, sentence } = fresh.answer.value;
  const list = (value?.irregularities ?? []).filter(({ code }) => code === RULING);
  const given = (code: string, { first, round, faces, voids_round }: Given): void =>
    fresh.refresh({
      code,
      first: first || null,
      round: round || null,
      faces: faces.length === ECHO ? faces.join("") : null,
      voids_round: voids_round ? true : null,
    });
  const confirm = async (command: WireCommand): Promise<Outcome> => {
    const answer = await floor.ask(table, command);
    if (answer.type === "Refused") {
      return { refused: true, sentence: answer.sentence, clause: answer.clause ?? null };
    }
    const waits = answer.pending != null;
    const said = waits ? console("reported_waits", { time: clock(answer.expires ?? answer.at) }) : console("reported");
    return { refused: false, sentence: said, clause: null };
  };
  return (
    <Dialog title={t("ruling_at", { table })} onClose={onClose} wide>
      {value === null ? (
        <p class="pit-quiet">{sentence ?? t("asking")}</p>
      ) : (
        <div class="pit-ruling">
          <Irregularities
            table={table}
            chips={floor.reported(table)?.form === "chips"}
            list={list}
            role={floor.who.role}
            chosen={RULING}
            onChoose={onClose}
            onGiven={given}
            onConfirm={confirm}
            takeKeys={() => undefined}
          />
        </div>
      )}
    </Dialog>
  );
}
