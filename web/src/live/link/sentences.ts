/** What only we can say: the server was never asked, or never answered. */

import { useWords } from "../../words/words.ts";
import type { OwnSentences } from "./unanswered.ts";

/** Sentences in the language of the moment in which they are said. */
export const ownSentences: OwnSentences & {
  notLoggedIn(): string;
  unreachable(): string;
  tooSlow(): string;
  unreadable(status: number): string;
} = {
  tooMany: (count) => useWords("live")("too_many", { count }),
  tooLong: () => useWords("live")("too_long"),
  notConnected: () => useWords("live")("not_connected"),
  unanswered: () => useWords("live")("unanswered"),
  notLoggedIn: () => useWords("live")("not_logged_in"),
  unreachable: () => useWords("live")("unreachable"),
  tooSlow: () => useWords("live")("too_slow"),
  unreadable: (status) => useWords("live")("unreadable", { status }),
};
