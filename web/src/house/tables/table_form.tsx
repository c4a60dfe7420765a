/** The form of a new table: its name, the source of its dice, and its chips if it has any. */

import { useSignal } from "@preact/signals";

import { newId, post, Problem } from "../../live/index.ts";
import { Choice, Field, notify, useSending } from "../../shell/index.ts";
import { useWords } from "../../words/words.ts";
import { AMOUNT_LETTERS_MAX, readAmount } from "../../words/written.ts";
import { HouseForm } from "../form.tsx";
import type { House } from "../house.ts";

const TUMBLERS = ["keyed", "reader"] as const;

interface Props {
  readonly house: House;
  readonly onClose: () => void;
}

type Filled = Readonly<Record<string, string | undefined>>;

/** Split a text into words, at spaces and commas. */
function listed(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((each) => each !== "");
}

function chipsOf(filled: Filled): object | null {
  const values = listed(filled["values"] ?? "").map((each) => readAmount(each));
  const colours = listed(filled["colours"] ?? "");
  if (values.length === 0 || values.some((each) => each == null)) return null;
  return {
    values,
    seats: Number(filled["seats"] ?? 0),
    colours,
    pieces: colours.length === 0 ? 0 : Number(filled["pieces"] ?? 0),
  };
}

export function TableForm({ house, onClose }: Props) {
  const t = useWords("house");
  const { fault, busy, send } = useSending();
  const form = useSignal("terminals");
  const tumbler = useSignal<string>("keyed");
  const chips = form.value === "chips";
  const create = async (filled: Filled): Promise<void> => {
    const table = (filled["table"] ?? "").trim();
    const threshold = chips ? null : readAmount(filled["handpay"] ?? "");
    const asked = chips ? chipsOf(filled) : null;
    if (threshold === undefined || (chips && asked === null))
      throw new Problem(400, "NOT_AMOUNT", t("not_amount"));
    const body = {
      id: newId(),
      table,
      tumbler: tumbler.value,
      read_by_dealer_too: filled["twice"] !== undefined,
      handpay_threshold: threshold,
      chips: asked,
    };
    await post("/api/tables", body);
    notify(() => t("created", { table }));
    house.refresh();
    onClose();
  };
  const amount = { inputMode: "decimal", autocomplete: "off", maxLength: AMOUNT_LETTERS_MAX } as const;
  return (
    <HouseForm
      title={t("new_table")}
      act={t("create")}
      fault={fault}
      busy={busy}
      onGiven={(filled) => send(() => create(filled))}
      onClose={onClose}
    >
      <Field
        label={t("table_name")}
        hint={t("table_name_how")}
        name="table"
        autocomplete="off"
        required
        maxLength={64}
        autofocus
      />
      <Choice label={t("form")} name="form" onChange={(event) => (form.value = event.currentTarget.value)}>
        <option value="terminals">{t("form_terminals")}</option>
        <option value="chips">{t("form_chips")}</option>
      </Choice>
      <Choice label={t("tumbler")} name="tumbler" onChange={(event) => (tumbler.value = event.currentTarget.value)}>
        {TUMBLERS.map((each) => (
          <option key={each} value={each}>
            {t(`tumbler_${each}`)}
          </option>
        ))}
      </Choice>
      {tumbler.value === "reader" && (
        <label class="house-tick">
          <input type="checkbox" name="twice" />
          {t("read_twice")}
        </label>
      )}
      {chips ? (
        <>
          <Field label={t("chip_values")} hint={t("chip_values_how")} name="values" autocomplete="off" required maxLength={200} />
          <Field label={t("seats")} name="seats" type="number" min={1} max={99} defaultValue="7" required />
          <Field label={t("colours")} hint={t("colours_how")} name="colours" autocomplete="off" maxLength={400} />
          <Field label={t("pieces")} name="pieces" type="number" min={0} defaultValue="300" />
        </>
      ) : (
        <Field label={t("handpay")} hint={t("handpay_how")} name="handpay" {...amount} />
      )}
    </HouseForm>
  );
}
