/** The state of the table in one strip: phase, round, time left, dealer, limits, terminals. */

import { useSignal } from "@preact/signals";

import type { TableView } from "../../protocol.ts";
import { Button } from "../../shell/index.ts";
import { cited, money, number, useWords, type Words } from "../../words/words.ts";
import { useSecondsUntil } from "../../shell/countdown.ts";
import type { Desk } from "../desk.ts";
import "./status.css";

/** Phases that the console has words for; a newer server may have others. */
const PHASES = ["new", "closed", "ready", "tumbled", "betting", "no-more-bets", "result", "confirmed"] as const;
type Phase = (typeof PHASES)[number];

function isPhase(phase: string): phase is Phase {
  return (PHASES as readonly string[]).includes(phase);
}

/** The phase in words; at a chip table a round ends only when it is paid. */
function phaseOf(t: Words<"console">, { phase, paying }: TableView): string {
  if (paying) return t("phase_paying");
  return isPhase(phase) ? t(`phase_${phase}`) : phase;
}

interface Props {
  readonly desk: Desk;
  /** Irregularities that await a ruling of the shift manager, by code, with their round. */
  readonly unruled: Readonly<Record<string, number>>;
  /** The name of an irregularity, by its code. */
  readonly nameOf: (code: string) => string;
  readonly onHelp: () => void;
}

export function Status({ desk, unruled, nameOf, onHelp }: Props) {
  const t = useWords("console");
  const view = desk.table.view.value;
  const left = useSecondsUntil(desk.table.closesAt.value, desk.now);
  if (view === null) return <header class="console-status" aria-busy="true" />;
  const limits = view.limits;
  const isChipTable = view.form === "chips";
  return (
    <header class="console-status">
      <p class="console-phase" data-phase={view.paying ? "paying" : view.phase}>
        {phaseOf(t, view)}
        {left.value !== null && (
          <span class="console-left">
            {t("seconds_left", { seconds: left.value })}
          </span>
        )}
      </p>
      <dl class="console-facts">
        <Fact name={t("table")} value={desk.name} />
        <Fact name={t("round")} value={number(view.round)} />
        {isChipTable ? (
          <Fact name={t("seats_taken")} value={t("seats_of", { taken: view.taken.length, seats: view.seats })} />
        ) : (
          <Fact name={t("terminals")} value={number(view.terminals)} />
        )}
        {limits !== null && (
          <Fact
            name={t("limits")}
            value={t("from_to", { least: money(limits.minimum), most: money(limits.maximum) })}
          />
        )}
      </dl>
      {!isChipTable && <Dealing desk={desk} />}
      <Button kind="quiet" aria-label={t("help_title")} title={t("help_title")} onClick={onHelp}>
        ?
      </Button>
      <Alarms desk={desk} unruled={unruled} nameOf={nameOf} />
    </header>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div class="console-fact">
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** Who deals, with a button to take over from the automatic dealer or to hand over to it. */
function Dealing({ desk }: { readonly desk: Desk }) {
  const t = useWords("console");
  const busy = useSignal(false);
  const automatic = desk.table.dealer.value === "automatic";
  const change = async (): Promise<void> => {
    busy.value = true;
    await desk.deal(!automatic);
    busy.value = false;
  };
  return (
    <div class="console-dealing">
      <span>{automatic ? t("dealer_automatic") : t("dealer_person")}</span>
      <Button busy={busy.value} onClick={() => void change()}>
        {automatic ? t("take_over") : t("hand_over")}
      </Button>
    </div>
  );
}

/** What keeps the table from going on as usual. */
function Alarms({ desk, unruled, nameOf }: Pick<Props, "desk" | "unruled" | "nameOf">) {
  const t = useWords("console");
  const view = desk.table.view.value;
  if (view === null) return null;
  const alarms = [
    desk.table.suspended.value && t("suspended"),
    view.stopped !== null && t("stopped", { ground: cited(t, view.stopped) }),
    view.doubts.length > 0 && t("in_doubt", { code: view.doubts.map(nameOf).join(" · ") }),
    view.waiting && t(view.interrupted ? "testimony_waits" : "outcome_waits"),
    ...Object.entries(unruled).map(([code, round]) => t("left_to_rule", { what: nameOf(code), round })),
    view.put_away.length > 0 && t("put_away", { dice: view.put_away.join(", ") }),
    view.notice_given && t("notice_given"),
  ].filter((alarm) => typeof alarm === "string");
  if (alarms.length === 0) return null;
  return (
    <div class="console-alarms" role="status">
      {alarms.map((alarm) => (
        <p key={alarm}>{alarm}</p>
      ))}
    </div>
  );
}
