/** What happened at the table, as the server tells it: the newest first, so many and no more. */

import type { AnyEvent, LogLine, Staff } from "../../protocol.ts";
import { noted } from "../../words/said.ts";

export interface Entry {
  readonly key: string;
  readonly at: number;
  readonly event: AnyEvent;
  readonly line: LogLine;
}

/** Lines that the log keeps. */
export const LOG_MAX = 50;

/** Take a message of the staff's channel into the log. */
export function logged(log: readonly Entry[], message: Staff): readonly Entry[] {
  const { sequence, at } = message;
  const entries = message.events.flatMap((event, place): Entry[] => {
    const line = message.log?.[place];
    // What happens many times a round has no line.
    if (line == null) return [];
    for (const { sentence, reason } of line.sentences) noted(sentence, reason);
    return [{ key: `${sequence}-${place}`, at, event, line }];
  });
  return [...entries.reverse(), ...log].slice(0, LOG_MAX);
}
