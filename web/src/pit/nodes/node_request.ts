/** Sends a node's command, which needs a second person, and keeps its outcome. */

import { useSignal, type ReadonlySignal } from "@preact/signals";

import { newId, post, Problem } from "../../live/index.ts";
import { announce } from "../../shell/index.ts";
import { useWords } from "../../words/words.ts";
import type { Floor } from "../floor.ts";

export interface NodeRequest {
  readonly busy: ReadonlySignal<boolean>;
  /** Why the last command was refused, until the next one is sent. */
  readonly refused: ReadonlySignal<string | null>;
  /** Whether such a command already waits for a second person. */
  readonly waits: (type: "DrainNode" | "MoveStream", what: string) => boolean;
  readonly ask: (node: string, what: "drain" | "move", more: { readonly stream?: string }) => Promise<void>;
}

export function useNodeRequest(floor: Pick<Floor, "waiting" | "approvals">, onAsked: () => void): NodeRequest {
  const t = useWords("nodes");
  const busy = useSignal(false);
  const refused = useSignal<string | null>(null);
  const id = useSignal(newId());
  const ask: NodeRequest["ask"] = async (node, what, more) => {
    busy.value = true;
    refused.value = null;
    try {
      await post(`/api/pit/nodes/${encodeURIComponent(node)}/${what}`, { id: id.value, ...more });
      id.value = newId();
      announce(t("asked"));
      floor.approvals.refresh();
      onAsked();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      // The next press is a new order, unless the outcome of this one is unknown.
      if (error.status !== 0) id.value = newId();
      refused.value = error.message;
    } finally {
      busy.value = false;
    }
  };
  const waits: NodeRequest["waits"] = (type, what) =>
    floor
      .waiting("venue")
      .some(({ command }) => command["type"] === type && (command["stream"] ?? command["node"]) === what);
  return { busy, refused, waits, ask };
}
