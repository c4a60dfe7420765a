/** The form to choose the node that a table moves to. */

import type { StreamView } from "../../answers.ts";
import { Button, given } from "../../shell/index.ts";
import { useWords } from "../../words/words.ts";
import type { NodeRequest } from "./node_request.ts";

interface Props {
  readonly stream: StreamView;
  readonly called: string;
  readonly request: NodeRequest;
}

export function Move({ stream, called, request }: Props) {
  const t = useWords("nodes");
  if (stream.could.length === 0) return null;
  if (request.waits("MoveStream", stream.stream)) return <span class="pit-quiet">{t("waits")}</span>;
  const submit = (event: SubmitEvent): void => {
    const { node = "" } = given(event);
    void request.ask(node, "move", { stream: stream.stream });
  };
  return (
    <form class="pit-nodes-move" onSubmit={submit}>
      <select name="node" aria-label={t("move_to", { stream: called })}>
        {stream.could.map((node) => (
          <option key={node} value={node}>
            {node}
          </option>
        ))}
      </select>
      <Button type="submit" busy={request.busy.value}>
        {t("move")}
      </Button>
    </form>
  );
}
