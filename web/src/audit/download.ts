/**
 * Downloads with a session of the tab's own.
 *
 * A browser sends a cookie with every link, and writes what comes to disk by itself. The token of
 * a demo's tab goes with no link: there it is fetched, counted as it comes, and held in memory
 * until it is whole. For that there is a limit.
 */

import { Problem, tabSession } from "../live/index.ts";

/** A browser's tab should not be asked to hold more, in bytes. */
export const HELD_MAX = 256 * 1024 * 1024;

/** What came is more than a tab should hold. */
export class TooLong extends Error {
  override readonly name = "TooLong";
}

/** Whether this tab must fetch by itself. */
export function fetchesItself(): boolean {
  return tabSession.value !== null;
}

async function refusal(answer: Response): Promise<Problem> {
  const problem = (await answer.json().catch(() => null)) as { detail?: unknown; code?: unknown } | null;
  const detail = typeof problem?.detail === "string" ? problem.detail : answer.statusText;
  return new Problem(answer.status, typeof problem?.code === "string" ? problem.code : "UNREADABLE", detail);
}

/** Fetch a file; `came` is called with how many bytes have come. Rejects where it breaks off. */
export async function fetchFile(
  address: string,
  came: (bytes: number) => void,
  signal: AbortSignal,
): Promise<Blob> {
  const headers = { Authorization: `Bearer ${tabSession.peek() ?? ""}` };
  const answer = await fetch(address, { headers, signal });
  if (!answer.ok || answer.body === null) throw await refusal(answer);
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
