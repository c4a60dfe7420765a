/** The client's own sentences for requests that were not sent or not answered. */

import { lasting } from "../../words/said.ts";
import { useWords } from "../../words/words.ts";

/** Sentences, each in the language of the screen at the time it is shown. */
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
