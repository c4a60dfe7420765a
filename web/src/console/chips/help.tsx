/** The keys of a chip table: the line, its signs, the lists; and the codes of the boxes. */

import { useWords } from "../../words/words.ts";
import { KeyTable } from "../parts/key_table.tsx";
import type { Box } from "./record/line.ts";
import type { Recorder } from "./record/recorder.ts";

export function ChipHelp({ recorder }: { readonly recorder: Recorder }) {
  const t = useWords("recording");
  const keys = [
    ["/", t("help_line")],
    [t("help_seat_keys"), t("help_seat")],
    ["b 5", t("help_stack")],
    ["b 2x100+3", t("help_chips")],
    ["b,s 5", t("help_several")],
    ["Enter", t("help_send")],
    ["!b 5", t("help_oral")],
    ["@b 5", t("help_on_behalf")],
    ["-b 5", t("help_take_back")],
    ["=b 5 …", t("help_correct")],
    [">b", t("help_reject")],
    ["?b", t("help_advise")],
    ["&b", t("help_separate")],
    ["~b 5", t("help_late")],
    ["Escape", t("help_escape")],
    ["N", t("help_notices")],
    ["T", t("help_tick")],
  ] as const;
  return (
    <>
      <h3>{t("help_recording")}</h3>
      <KeyTable lines={keys} />
      <h3>{t("help_codes")}</h3>
      <KeyTable lines={examples(recorder).map(({ code, name }) => [code, name] as const)} />
    </>
  );
}

/** One box for each form of code: which letters, and how many digits. */
function examples({ boxes }: Recorder): readonly Box[] {
  const shapes = new Map<string, Box>();
  for (const box of boxes.value.values()) {
    const shape = box.code.replace(/\d+/, (digits) => (/[a-z]/.test(box.code) ? "0" : patternOf(digits)));
    if (!shapes.has(shape)) shapes.set(shape, box);
  }
  return [...shapes.values()];
}

/** Which digits of a code are equal: 11 has another form than 12. */
function patternOf(digits: string): string {
  return [...digits].map((digit) => String(digits.indexOf(digit))).join("");
}
