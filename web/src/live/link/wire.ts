/** Messages as they are sent: one JSON object per line, one or more lines per frame. */

import { FRAME_MAX, MESSAGES_MAX, type ClientMessage, type ServerMessage } from "../../protocol.ts";

const bytes = new TextEncoder();

export function sizeOf(line: string): number {
  return bytes.encode(line).length;
}

/** Read all messages of a frame; throws if one is not an object with a type. */
export function readFrame(data: string): ServerMessage[] {
  return data
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map(readMessage);
}

function readMessage(line: string): ServerMessage {
  const said: unknown = JSON.parse(line);
  if (typeof said !== "object" || said === null || !("type" in said) || typeof said.type !== "string") {
    throw new Error(`The server said something that is no message: ${line.slice(0, 200)}`);
  }
  // Only the type is checked: the server decides what its messages hold, and their receivers
  // ignore types and fields that they do not know.
  return said as ServerMessage;
}

export function writeMessage(message: ClientMessage): string {
  return JSON.stringify(message);
}

/** Join messages into as few frames as the protocol allows. */
export function framesOf(lines: readonly string[]): string[] {
  const frames: string[][] = [];
  let size = FRAME_MAX;
  for (const line of lines) {
    const more = sizeOf(line) + 1;
    const last = frames.at(-1);
    if (last === undefined || last.length === MESSAGES_MAX || size + more > FRAME_MAX) {
      frames.push([line]);
      size = more;
    } else {
      last.push(line);
      size += more;
    }
  }
  return frames.map((each) => each.join("\n"));
}
