/** The log of a table's events as the server words them: newest first, up to a limit. */

import type { AnyEvent, LogLine, Staff } from "../../protocol.ts";
import { noted } from "../../words/said.ts";

export interface Entry {
  readonly key: string;
  readonly at: number;
  readonly event: AnyEvent;
  readonly line: LogLine;
}

/** How many lines the log keeps. */
export const LOG_MAX = 50;

/** Add a message of the staff channel to the log. */
export function logged(log: readonly Entry[], message: Staff): readonly Entry[] {
  const { sequence, at } = message;
  const entries = message.events.flatMap((event, place): Entry[] => {
    const line = message.log?.[place];
    // Events that happen many times a round have no line.
    if (line == null) return [];
    for (const { sentence, reason } of line.sentences) noted(sentence, reason);
    return [{ key: `${sequence}-${place}`, at, event, line }];
  });
  return [...entries.reverse(), ...log].slice(0, LOG_MAX);
}
