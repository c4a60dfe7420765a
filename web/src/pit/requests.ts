/** Sends a table's commands, and keeps the last refusal. */

import { useSignal, type ReadonlySignal } from "@preact/signals";

import type { Refused, Registered, WireCommand } from "../protocol.ts";
import { announce } from "../shell/index.ts";
import { clock, useWords } from "../words/words.ts";
import type { Floor } from "./floor.ts";

export interface TableRequest {
  /** The command that was sent and is not answered. */
  readonly busy: ReadonlySignal<string | null>;
  /** The last refusal, until the next command is sent. */
  readonly refused: ReadonlySignal<Refused | null>;
  readonly ask: (command: WireCommand) => Promise<Registered | Refused>;
}

export function useRequest(floor: Pick<Floor, "ask">, table: string): TableRequest {
  const t = useWords("console");
  const busy = useSignal<string | null>(null);
  const refused = useSignal<Refused | null>(null);
  const ask = async (command: WireCommand): Promise<Registered | Refused> => {
    busy.value = command.type;
    refused.value = null;
    const answer = await floor.ask(table, command);
    busy.value = null;
    if (answer.type === "Refused") refused.value = answer;
    else if (answer.pending != null) {
      // A pending command is on the screen, with its time limit; it is announced too.
      announce(t("reported_waits", { time: clock(answer.expires ?? answer.at) }));
    }
    return answer;
  };
  return { busy, refused, ask };
}
