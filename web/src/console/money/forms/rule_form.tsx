/** The form of a ruling on a bet: it stands, plays with less, or is returned, with a reason. */

import { useSignal } from "@preact/signals";

import type { BetToRule, RuleOnBet, WireCommand } from "../../../protocol.ts";
import { Field } from "../../../shell/index.ts";
import { money, useWords, type Words } from "../../../words/words.ts";
import { readAmount } from "../../../words/written.ts";
import { PreviewAnswer, usePreview } from "../../parts/preview.tsx";
import { NOTE_LETTERS_MAX } from "../counts/chips.ts";
import { Amount, MoneyForm, type FormProps } from "./form.tsx";

const VERDICTS: readonly RuleOnBet["verdict"][] = ["stands", "plays", "returned"];

interface Props extends FormProps {
  readonly bet: BetToRule;
  /** The name of the box. */
  readonly name: string;
  readonly table: string;
  /** Whether dice can be seen: then any ruling needs a second person. */
  readonly late: boolean;
}

export function RuleForm({ bet, name, late, table, ...form }: Props) {
  const t = useWords("recording");
  const words = useWords("console");
  const verdict = useSignal<RuleOnBet["verdict"]>("stands");
  const part = useSignal("");
  const note = useSignal("");
  const tried = useSignal(false);
  const amount = readAmount(part.value);
  const plays = verdict.value === "plays" ? amount : null;
  const whole = verdict.value !== "plays" || plays != null;
  const read = (): WireCommand | null => {
    tried.value = true;
    if (note.value.trim() === "" || !whole) return null;
    return rulingOf(bet, verdict.value, note.value, plays);
  };
  // The reason does not change the effects, so the preview leaves it out.
  const answer = usePreview(table, whole ? rulingOf(bet, verdict.value, "–", plays) : null);
  const lies = { seat: bet.seat, box: name, amount: money(bet.amount) };
  return (
    <MoneyForm title={t("rule_of", lies)} act={t("rule_act")} read={read} second={late || verdict.value !== "stands"} {...form}>
      <p>{bet.sentence}</p>
      <fieldset class="money-reasons">
        <legend>{t("rule_legend")}</legend>
        {VERDICTS.map((each) => (
          <label key={each} class="console-check">
            <input
              type="radio"
              name="verdict"
              checked={verdict.value === each}
              onChange={() => (verdict.value = each)}
            />
            <span>{t(`rule_${each}`)}</span>
          </label>
        ))}
      </fieldset>
      {verdict.value === "plays" && (
        <Amount
          label={t("rule_part")}
          hint={t("rule_part_how", { most: money(bet.amount), step: money(bet.step) })}
          fault={partFault(t, words, amount, tried.value)}
          value={part.value}
          onValue={(text) => (part.value = text)}
        />
      )}
      <Field
        label={words("note")}
        hint={words("note_how")}
        fault={tried.value && note.value.trim() === "" ? words("money_note_missing") : null}
        autocomplete="off"
        maxLength={NOTE_LETTERS_MAX}
        value={note.value}
        onInput={(event) => (note.value = event.currentTarget.value)}
      />
      {whole && <PreviewAnswer answer={answer.value} chips />}
    </MoneyForm>
  );
}

function rulingOf(
  { seat, box }: BetToRule,
  verdict: RuleOnBet["verdict"],
  note: string,
  plays: number | null | undefined,
): RuleOnBet {
  return { type: "RuleOnBet", seat, box, verdict, note, plays: plays ?? null };
}

function partFault(
  t: Words<"recording">,
  words: Words<"console">,
  amount: number | null | undefined,
  tried: boolean,
): string | null {
  if (amount === undefined) return words("money_not_amount");
  return tried && amount === null ? t("rule_part_missing") : null;
}
