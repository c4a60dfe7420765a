/**
 * Downloads files in a demo, where the tab has its own session.
 *
 * A browser sends a cookie with every link, and writes the file to disk by itself. It cannot send
 * the token of a demo's tab with a link: there the file is fetched, its bytes are counted, and it
 * is held in memory until it is complete. So its size has a limit.
 */

import { refusalOf, tabSession } from "../live/index.ts";
import { language } from "../words/words.ts";

/** The most bytes that a tab should hold. */
export const HELD_MAX = 256 * 1024 * 1024;

/** The file is larger than a tab should hold. */
export class TooLong extends Error {
  override readonly name = "TooLong";
}

/** Whether this tab must fetch files itself. */
export function fetchesItself(): boolean {
  return tabSession.value !== null;
}

/** Fetch a file; `came` receives the number of bytes so far. Rejects if the download breaks off. */
export async function fetchFile(
  address: string,
  came: (bytes: number) => void,
  signal: AbortSignal,
): Promise<Blob> {
  const headers = { Authorization: `Bearer ${tabSession.peek() ?? ""}`, "Accept-Language": language.peek() };
  const answer = await fetch(address, { headers, signal });
  if (!answer.ok || answer.body === null) throw await refusalOf(answer, { signal });
  const parts: BlobPart[] = [];
  let bytes = 0;
  const reader = answer.body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    parts.push(read.value as Uint8Array<ArrayBuffer>);
    bytes += read.value.byteLength;
    came(bytes);
    if (bytes > HELD_MAX) {
      await reader.cancel();
      throw new TooLong();
    }
  }
  return new Blob(parts, { type: answer.headers.get("content-type") ?? "" });
}
