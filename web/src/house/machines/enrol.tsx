/** Makes a machine a terminal: two persons enrol it, and the code that it shows gets it a key. */

import { useSignal, type Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

import type { Machine, Waiting } from "../../answers.ts";
import { newId, post, Problem } from "../../live/index.ts";
import { Choice, Field, notify, useSending } from "../../shell/index.ts";
import { useWords } from "../../words/words.ts";
import { HouseForm } from "../form.tsx";
import type { House } from "../house.ts";

const AGAIN_MS = 1_000;

/** A request that is sent again with its id, until a second person has agreed to it. */
interface Asked {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

function keyFor(table: string, terminal: string, code: string): Asked {
  const path = `/api/tables/${encodeURIComponent(table)}/terminals/${encodeURIComponent(terminal)}/machine`;
  return { path, body: { id: newId(), code } };
}

function waits(answer: object): boolean {
  return "pending" in answer;
}

/** Send a request; while it waits for a second person it is kept, to be sent again. */
async function send({ path, body }: Asked, kept: Signal<Asked | null>, done: () => void): Promise<void> {
  const answer = await post<object>(path, body);
  kept.value = waits(answer) ? { path, body } : null;
  if (kept.value === null) done();
}

/** Send a waiting request again every second. */
function useAgain(kept: Signal<Asked | null>, again: (asked: Asked) => void): void {
  useEffect(() => {
    const timer = setInterval(() => {
      if (kept.peek() !== null) again(kept.peek() as Asked);
    }, AGAIN_MS);
    return () => clearInterval(timer);
  }, []);
}

interface EnrolProps {
  readonly house: House;
  readonly tables: readonly string[];
  readonly onClose: () => void;
}

export function EnrolForm({ house, tables, onClose }: EnrolProps) {
  const t = useWords("house");
  const sending = useSending();
  /** The request, until a second person has approved it and the machine has its key. */
  const asked = useSignal<{ table: string; terminal: string; code: string; until: number } | null>(null);
  const ask = async (filled: Readonly<Record<string, string | undefined>>): Promise<void> => {
    const { table = "", terminal = "", place = "", code = "" } = filled;
    const answer = await post<Waiting>(`/api/tables/${encodeURIComponent(table)}/terminals`, {
      id: newId(),
      terminal: terminal.trim(),
      place: place.trim(),
    });
    asked.value = { table, terminal: terminal.trim(), code, until: answer.expires ?? Infinity };
    house.refresh();
  };
  const giveKey = async (table: string, terminal: string, code: string): Promise<void> => {
    const { path, body } = keyFor(table, terminal, code);
    await post(path, body);
    notify(() => t("enrolled", { terminal }));
    house.refresh();
    onClose();
  };
  const floor = house.floor.answer.value;
  useEffect(() => {
    if (asked.value === null) return;
    const { table, terminal, code, until } = asked.value;
    const found = floor?.tables.find((each) => each.table === table)?.terminals;
    if (found?.some((each) => each.terminal === terminal)) {
      asked.value = null;
      sending.send(() => giveKey(table, terminal, code));
    } else if (house.now() > until) {
      asked.value = null;
      sending.send(() => Promise.reject(new Problem(409, "NOT_AGREED", t("not_agreed"))));
    }
  }, [floor]);
  return (
    <HouseForm
      title={t("enrol")}
      second
      waits={asked.value !== null}
      fault={sending.fault}
      busy={sending.busy}
      onGiven={(filled) => sending.send(() => ask(filled))}
      onClose={onClose}
    >
      <p class="pit-quiet">{t("enrol_how")}</p>
      <CodeField />
      <Choice label={t("table")} name="table" required>
        {tables.map((table) => (
          <option key={table}>{table}</option>
        ))}
      </Choice>
      <Field label={t("terminal")} hint={t("terminal_how")} name="terminal" autocomplete="off" required maxLength={64} />
      <Field label={t("place")} name="place" autocomplete="off" required maxLength={64} />
    </HouseForm>
  );
}

interface KeyProps {
  readonly house: House;
  readonly table: string;
  readonly machine: Machine;
  readonly onClose: () => void;
}

/** Gives an enrolled terminal a key: its first, or a replacement. */
export function KeyForm({ house, table, machine: { terminal, keyed }, onClose }: KeyProps) {
  const t = useWords("house");
  const sending = useSending();
  const kept = useSignal<Asked | null>(null);
  const done = (): void => {
    notify(() => t("keyed", { terminal }));
    house.refresh();
    onClose();
  };
  const ask = (asked: Asked): void =>
    sending.send(async () => {
      try {
        await send(asked, kept, done);
        house.approvals.refresh();
      } catch (error) {
        // If the server is unreachable for a moment, keep waiting: no second approval is needed.
        if (!(error instanceof Problem) || error.status !== 0) kept.value = null;
        throw error;
      }
    });
  useAgain(kept, ask);
  return (
    <HouseForm
      title={t(keyed ? "replace_key_of" : "give_key_of", { terminal })}
      second={keyed}
      waits={kept.value !== null}
      fault={sending.fault}
      busy={sending.busy}
      onGiven={({ code = "" }) => ask(keyFor(table, terminal, code))}
      onClose={onClose}
    >
      <p class="pit-quiet">{t("enrol_how")}</p>
      {keyed && <p>{t("replace_key_how")}</p>}
      <CodeField />
    </HouseForm>
  );
}

function CodeField() {
  const t = useWords("house");
  return (
    <Field
      label={t("code_shown")}
      hint={t("code_shown_how")}
      name="code"
      autocomplete="off"
      autocapitalize="characters"
      spellcheck={false}
      required
      maxLength={16}
      autofocus
    />
  );
}
