/** Sentences of our own, for where the server was never asked, or never answered. */

import { lasting } from "../../words/said.ts";
import { useWords } from "../../words/words.ts";

/** Sentences in the language of the moment in which they are shown. */
export const ownSentences = {
  tooMany: (count: number) => lasting(() => useWords("live")("too_many", { count })),
  tooLong: () => lasting(() => useWords("live")("too_long")),
  notConnected: () => lasting(() => useWords("live")("not_connected")),
  unanswered: () => lasting(() => useWords("live")("unanswered")),
  notLoggedIn: () => lasting(() => useWords("live")("not_logged_in")),
  unreachable: () => lasting(() => useWords("live")("unreachable")),
  tooSlow: () => lasting(() => useWords("live")("too_slow")),
  unreadable: (status: number) => lasting(() => useWords("live")("unreadable", { status })),
};
