/** Names of the journal's streams in words. */

import type { Words } from "../words/words.ts";

const TABLE = "table/";

/** The table of a stream; null for other streams. */
export function tableOf(stream: string): string | null {
  return stream.startsWith(TABLE) ? stream.slice(TABLE.length) : null;
}

/** The name of a stream: a table's name, or words for the others. */
export function streamName(t: Words<"audit">, stream: string): string {
  if (stream === "cage" || stream === "venue") return t(`stream_${stream}`);
  return tableOf(stream) ?? stream;
}
