/** The slip's messages in words. */

import { capital } from "../../words/capital.ts";
import { said } from "../../words/said.ts";
import { amount, cited, money, type Words } from "../../words/words.ts";
import type { Snag } from "./bounds.ts";
import type { SlipMessage } from "./slip.ts";

export function sentenceOf(t: Words<"play">, message: SlipMessage): string {
  switch (message.kind) {
    case "refused":
      return message.clause === null
        ? capital(said(message.sentence))
        : `${capital(said(message.sentence))} ${cited(t, message.clause)}`;
    case "failed":
      return capital(said(message.sentence));
    case "not-enough":
      return t("not_enough", { wanted: money(message.wanted), left: money(message.left) });
    case "nothing-left":
      return t("nothing_left");
    case "too-many":
      return t("too_many");
    case "kept":
      return t("kept");
    case "nothing-to-repeat":
      return t("nothing_to_repeat");
    case "left-out":
      return t("left_out");
  }
}

/** The problem of a draft on a box, in words. */
export function saySnag(t: Words<"play">, snag: Snag): string {
  switch (snag.kind) {
    case "short":
      return t("needs_more", { amount: amount(snag.by) });
    case "over":
      return t("above_maximum", { maximum: amount(snag.most) });
    case "off-step":
      return t("off_step", { step: amount(snag.step) });
  }
}
