/** The nodes of the venue: roles, last heartbeat and tables of each; buttons to drain and move. */

import { useEffect, useMemo } from "preact/hooks";

import type { GatewayView, NodeView, Nodes as Standing, StreamView } from "../../answers.ts";
import { Button } from "../../shell/index.ts";
import { said } from "../../words/said.ts";
import { clock, language, number, useWords, type Words } from "../../words/words.ts";
import { SortTable, type Column } from "../figures/sort_table.tsx";
import type { Floor } from "../floor.ts";
import { Polled } from "../polled.ts";
import { Move } from "./move.tsx";
import { useNodeRequest, type NodeRequest } from "./node_request.ts";
import "./nodes.css";

/** How often their state is requested: a failed node is taken over within two seconds. */
const EVERY_MS = 2_000;
const LEAST_MS = 500;

export function Nodes({ floor }: { readonly floor: Floor }) {
  const t = useWords("nodes");
  const polled = useMemo(() => new Polled<Standing>("/api/pit/nodes", EVERY_MS, LEAST_MS), []);
  useEffect(() => polled.follow(), []);
  useEffect(() => polled.refresh(), [language.value]);
  const request = useNodeRequest(floor, () => polled.refresh());
  const stand = polled.answer.value;
  const fault = polled.fault.value;
  return (
    <div class="pit-part pit-nodes">
      <h2>{t("title")}</h2>
      <div role="alert">
        {fault !== null && <p class="pit-refused">{said(fault)}</p>}
        {request.refused.value !== null && <p class="pit-refused">{said(request.refused.value)}</p>}
      </div>
      {stand === null && fault === null && <p class="pit-quiet">{t("asking")}</p>}
      {stand !== null && <Shown stand={stand} request={request} />}
    </div>
  );
}

interface ShownProps {
  readonly stand: Standing;
  readonly request: NodeRequest;
}

function Shown({ stand, request }: ShownProps) {
  const t = useWords("nodes");
  if (!stand.several) return <p class="pit-quiet">{t("one_process")}</p>;
  return (
    <>
      <p class="pit-quiet">{t("as_of", { time: clock(stand.at) })}</p>
      <SortTable label={t("title")} columns={nodeColumns(t, stand, request)} rows={stand.nodes} id={({ node }) => node} />
      <h3>{t("streams")}</h3>
      <p class="pit-quiet">{t("behind_how")}</p>
      <SortTable
        label={t("streams")}
        columns={streamColumns(t, stand, request)}
        rows={stand.streams}
        id={({ stream }) => stream}
      />
      {stand.may_ask && <p class="pit-quiet">{t("takes_two")}</p>}
      <h3>{t("gateways")}</h3>
      {stand.gateways.length === 0 ? (
        <p class="pit-refused">{t("no_gateways")}</p>
      ) : (
        <SortTable label={t("gateways")} columns={gatewayColumns(t)} rows={stand.gateways} id={({ gateway }) => gateway} />
      )}
    </>
  );
}

/** Whether a node is alive, as a word and a sign, not by colour alone. */
function Standing({ node }: { readonly node: NodeView }) {
  const t = useWords("nodes");
  const how = !node.heard ? "silent" : node.draining ? "draining" : "at_work";
  return <span class={`pit-node-${how}`}>{t(how)}</span>;
}

function nodeColumns(t: Words<"nodes">, stand: Standing, request: NodeRequest): readonly Column<NodeView>[] {
  const columns: readonly Column<NodeView>[] = [
    {
      name: t("node"),
      by: ({ node }) => node,
      cell: ({ node, here }) => (here ? t("here", { node }) : node),
    },
    { name: t("roles"), cell: ({ roles }) => roles.map((role) => t(roleOf(role))).join(t("list_join")) },
    { name: t("standing"), cell: (node) => <Standing node={node} /> },
    {
      name: t("last_beat"),
      figure: true,
      by: ({ silent_ms }) => silent_ms,
      cell: ({ silent_ms }) => t("seconds_ago", { seconds: (silent_ms / 1_000).toFixed(1) }),
    },
    { name: t("has"), figure: true, by: ({ streams }) => streams, cell: ({ streams }) => number(streams) },
    ...(stand.nodes.some(({ address }) => address !== "")
      ? [{ name: t("address"), cell: ({ address }: NodeView) => address }]
      : []),
  ];
  if (!stand.may_ask) return columns;
  return [...columns, { name: t("ask"), cell: (node) => <Drain node={node} request={request} /> }];
}

function Drain({ node, request }: { readonly node: NodeView; readonly request: NodeRequest }) {
  const t = useWords("nodes");
  const { busy, waits, ask } = request;
  if (node.draining || !node.heard || node.streams === 0) return null;
  const asked = waits("DrainNode", node.node);
  return (
    <Button busy={busy.value} disabled={asked} onClick={() => void ask(node.node, "drain", {})}>
      {asked ? t("waits") : t("drain", { node: node.node })}
    </Button>
  );
}

function streamColumns(t: Words<"nodes">, stand: Standing, request: NodeRequest): readonly Column<StreamView>[] {
  const called = ({ table, stream }: StreamView): string =>
    table ?? t(stream === "cage" ? "stream_cage" : "stream_venue");
  const columns: readonly Column<StreamView>[] = [
    { name: t("stream"), by: called, cell: called },
    { name: t("at_node"), by: ({ node }) => node ?? "", cell: ({ node }) => node ?? t("nobody") },
    { name: t("since"), by: ({ since }) => since, cell: ({ since }) => clock(since) },
    { name: t("passed_on"), figure: true, by: ({ passed }) => passed, cell: ({ passed }) => number(passed) },
    { name: t("behind"), figure: true, by: ({ behind }) => behind, cell: ({ behind }) => number(behind) },
    {
      name: t("wanted"),
      cell: ({ wanted, node }) => (wanted === null || wanted === node ? "–" : t("goes_to", { node: wanted })),
    },
  ];
  if (!stand.may_ask) return columns;
  return [
    ...columns,
    { name: t("ask"), cell: (stream) => <Move stream={stream} called={called(stream)} request={request} /> },
  ];
}

function gatewayColumns(t: Words<"nodes">): readonly Column<GatewayView>[] {
  return [
    { name: t("gateway"), by: ({ gateway }) => gateway, cell: ({ gateway }) => gateway },
    { name: t("connected"), figure: true, by: ({ connected }) => connected, cell: ({ connected }) => number(connected) },
    { name: t("starts"), figure: true, by: ({ starts }) => starts, cell: ({ starts }) => number(starts) },
  ];
}

function roleOf(role: string): "role_gateway" | "role_owner" | "role_office" {
  return role === "office" ? "role_office" : role === "owner" ? "role_owner" : "role_gateway";
}
