/** Sentences of our own, for where the server was never asked, or never answered. */

import { useWords } from "../../words/words.ts";

/** Sentences in the language of the moment in which they are shown. */
export const ownSentences = {
  tooMany: (count: number) => useWords("live")("too_many", { count }),
  tooLong: () => useWords("live")("too_long"),
  notConnected: () => useWords("live")("not_connected"),
  unanswered: () => useWords("live")("unanswered"),
  notLoggedIn: () => useWords("live")("not_logged_in"),
  unreachable: () => useWords("live")("unreachable"),
  tooSlow: () => useWords("live")("too_slow"),
  unreadable: (status: number) => useWords("live")("unreadable", { status }),
};
