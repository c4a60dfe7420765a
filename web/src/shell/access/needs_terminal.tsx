import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";

import type { EnrolmentBegun, EnrolmentGiven } from "../../answers.ts";
import { demoSeat, openLink, post, Problem, storeTerminal, terminalKey, type Link } from "../../live/index.ts";
import type { TerminalKey } from "../../protocol.ts";
import { useWords } from "../../words/words.ts";
import { Button } from "../controls/button.tsx";
import { Field } from "../controls/field.tsx";
import { venue } from "./venue.ts";
import { followLine } from "../connection.tsx";
import { Fault, given, useSending } from "./log_in.tsx";
import { addressOf, go } from "../router.ts";

interface NeedsTerminalProps {
  /** The table of the address; null if it names none. */
  readonly table: string | null;
  readonly children: (link: Link, key: TerminalKey) => ComponentChildren;
}

/**
 * Shows its content at a Player Terminal, with its live link.
 *
 * In a demo a tab without a key is given a seat at the table. A real terminal has a key that a
 * technician entered, and belongs to that key's table, whatever the address says.
 */
export function NeedsTerminal({ table, children }: NeedsTerminalProps) {
  const t = useWords("shell");
  const key = useSignal(terminalKey());
  const known = venue.value;
  const { demo = false, tables = [] } = known ?? {};
  const own = key.value;
  useEffect(() => {
    // A real terminal is always at its own table.
    if (known !== null && !demo && own !== null && own.table !== table)
      go(addressOf("play", own.table), "replace");
  }, [known, own, table]);
  if (known === null) return <p class="page page-wait">{t("connecting")}</p>;
  if (own !== null && (!demo || table === null || own.table === table))
    return (
      <WithLink key={`${own.table}/${own.terminal}`} as={own}>
        {children}
      </WithLink>
    );
  const keep = (given: TerminalKey): void => {
    key.value = given;
  };
  if (!demo) return <Unkeyed table={table} onKey={keep} />;
  if (table === null || !tables.includes(table)) return <NoTable table={table} />;
  return <Seat key={table} table={table} onKey={keep} />;
}

interface SeatProps {
  readonly table: string;
  readonly onKey: (key: TerminalKey) => void;
}

/** Takes a seat in a demo at once; after a refusal a button asks again. */
function Seat({ table, onKey }: SeatProps) {
  const t = useWords("shell");
  const { fault, busy, send } = useSending();
  const sit = (): void => send(async () => onKey(await demoSeat(table)));
  useEffect(sit, []);
  return (
    <section class="page">
      <h1>{t("seat_title", { table })}</h1>
      <p>{t("seat_how")}</p>
      <Fault>{fault}</Fault>
      <Button kind="main" busy={busy} onClick={sit}>
        {t("seat")}
      </Button>
    </section>
  );
}

interface KeyFormProps {
  readonly table: string | null;
  readonly onKey: (key: TerminalKey) => void;
}

/** How often a machine asks whether it has been given its key. */
const ASKED_MS = 1_000;

/** A machine without a key: shows a code for staff to give it one, or takes a key by hand. */
function Unkeyed({ table, onKey }: KeyFormProps) {
  const t = useWords("shell");
  const byHand = useSignal(false);
  const code = useSignal<string | null>(null);
  useEffect(() => {
    const ended = new AbortController();
    const keep = (given: TerminalKey): void => {
      storeTerminal(given, "browser");
      onKey(given);
    };
    awaitKey(ended.signal, (shown) => (code.value = shown), keep).catch((error: unknown) => {
      if (!ended.signal.aborted) reportError(error);
    });
    return () => ended.abort();
  }, []);
  if (byHand.value) return <KeyForm table={table} onKey={onKey} />;
  return (
    <section class="page">
      <h1>{t("enrol_title")}</h1>
      <p>{t("enrol_how")}</p>
      <p class="page-code" aria-label={t("enrol_code")} role="status">
        {code.value ?? "…"}
      </p>
      <Button kind="quiet" onClick={() => (byHand.value = true)}>
        {t("enrol_by_hand")}
      </Button>
    </section>
  );
}

/** Show a code and ask for the key until it is given; a code unknown to the server is replaced. */
async function awaitKey(
  ended: AbortSignal,
  show: (code: string | null) => void,
  keep: (key: TerminalKey) => void,
): Promise<void> {
  let begun: EnrolmentBegun | null = null;
  while (!ended.aborted) {
    try {
      begun ??= await post<EnrolmentBegun>("/api/enrolments", {}, { signal: ended });
      show(begun.code);
      const { terminal } = await post<EnrolmentGiven>("/api/enrolments/key", begun, { signal: ended });
      if (terminal !== null) return keep(terminal);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      // If the server is unreachable or busy, ask again; if it does not know the code, begin again.
      if (error.code === "NO_SUCH_TERMINAL_CODE") begun = null;
      if (begun === null) show(null);
    }
    await new Promise((resolve) => setTimeout(resolve, ASKED_MS));
  }
}

/** The form in which a technician enters the key of a real terminal, once. */
function KeyForm({ table, onKey }: KeyFormProps) {
  const t = useWords("shell");
  const submit = (event: SubmitEvent): void => {
    const { table = "", terminal = "", key = "" } = given(event);
    const put = { table: table.trim(), terminal: terminal.trim(), key: key.trim() };
    storeTerminal(put, "browser");
    onKey(put);
  };
  return (
    <section class="page">
      <h1>{t("terminal_title")}</h1>
      <p>{t("terminal_how")}</p>
      <form class="page-form" onSubmit={submit} autocomplete="off">
        <Field
          label={t("terminal_table")}
          name="table"
          defaultValue={table ?? ""}
          pattern="[^/:]+"
          required
          maxLength={64}
        />
        <Field label={t("terminal_name")} name="terminal" pattern="[^:]+" required maxLength={64} />
        <Field label={t("terminal_key")} name="key" type="password" required maxLength={128} />
        <Button kind="main" type="submit">
          {t("terminal_save")}
        </Button>
      </form>
    </section>
  );
}

/** The address names no table of this venue. */
export function NoTable({ table }: { readonly table: string | null }) {
  const t = useWords("shell");
  return (
    <section class="page">
      <h1>{t("no_table_title")}</h1>
      <p>{table === null ? t("no_table_named") : t("no_table", { table })}</p>
      <a class="button button-main" href={addressOf("lobby")}>
        {t("to_lobby")}
      </a>
    </section>
  );
}

interface WithLinkProps {
  readonly as: TerminalKey;
  readonly children: (link: Link, key: TerminalKey) => ComponentChildren;
}

function WithLink({ as, children }: WithLinkProps) {
  const t = useWords("shell");
  const link = useSignal<Link | null>(null);
  useEffect(() => {
    const opened = openLink({ terminal: as });
    const unfollow = followLine(opened);
    link.value = opened;
    return () => {
      unfollow();
      opened.close();
    };
  }, []);
  if (link.value === null) return <p class="page page-wait">{t("connecting")}</p>;
  return <>{children(link.value, as)}</>;
}
