/** Streams of the journal by the names that people have for them. */

import type { Words } from "../words/words.ts";

const TABLE = "table/";

/** The table whose stream it is; null where it is of no table. */
export function tableOf(stream: string): string | null {
  return stream.startsWith(TABLE) ? stream.slice(TABLE.length) : null;
}

/** What a stream is called: a table by its name, the others by words. */
export function streamName(t: Words<"audit">, stream: string): string {
  if (stream === "cage" || stream === "venue") return t(`stream_${stream}`);
  return tableOf(stream) ?? stream;
}
