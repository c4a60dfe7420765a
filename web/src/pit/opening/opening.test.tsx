import { act, fireEvent, render, screen } from "@testing-library/preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { refused, registered } from "../../console/fakes.ts";
import type { Refused } from "../../protocol.ts";
import { readAmount, writeAmount } from "../../words/written.ts";
import { fieldOf, isLimits, readLimits, writeLimits } from "../limits/limits.ts";
import { LimitsForm } from "../limits/limits_form.tsx";
import { OpeningList } from "./opening.tsx";
import { Suspension } from "../table/suspension.tsx";
import { floorOf, openingOf, seenOf, stepOf, TABLE, wanted } from "../fakes.ts";

const OPENING = openingOf([
  wanted("rulebook", true, stepOf("AdoptRulebook", { fields: ["canonical"] }), { value: "Tai-Sai, div9/2" }),
  wanted("limits", false, stepOf("SetLimits", { standing: "next", fields: ["limits"], second: true })),
  wanted("bell", false, stepOf("RegisterEquipment", { fields: ["identity"] }), { clause: "3.4(f)" }),
  wanted("equipment-on", true, stepOf("SwitchOn", { fields: ["power"] })),
  wanted("test-runs-light", false, stepOf("VerifyTest", { fields: ["right", "note"] }), { clause: "5.0(b)" }),
  wanted("dice-sealed", false, stepOf("ReadSeal", { fields: ["seal", "intact"] }), { clause: "5.0(d)" }),
  wanted("open", false, stepOf("OpenTable", { standing: "refused", sentence: "the limits have not been set", give: { type: "OpenTable" } })),
]);

beforeEach(() => {
  // The form requests the names of boxes.
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify({ kinds: {}, boxes: {} }))));
});
afterEach(() => {
  vi.unstubAllGlobals();
});

async function settled(): Promise<void> {
  await act(async () => {
    await new Promise((done) => setTimeout(done));
  });
}

test("the opening lists what is there, what is wanted and why it cannot open yet", () => {
  const { floor, server } = floorOf();
  render(<OpeningList floor={floor} seen={seenOf(TABLE, server)} opening={OPENING} />);
  const items = screen.getAllByRole("listitem").map((item) => item.textContent);
  expect(items[0]).toMatch(/✓Done: The rulebook.*Tai-Sai, div9\/2/);
  expect(items[1]).toMatch(/○Wanted: The limits/);
  expect(items.at(-1)).toContain("the limits have not been set");
  expect(screen.queryByRole("button", { name: "OpenTable" }), "refused: not to be pressed").toBeNull();
  expect(screen.getByRole("button", { name: "SetLimits…" }).className).toContain("button-main");
});

test("each act is written down as it was done", async () => {
  const { floor, server } = floorOf();
  render(<OpeningList floor={floor} seen={seenOf(TABLE, server)} opening={OPENING} />);
  expect(screen.getByText("Opening checks, by the Casino Supervisor")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "RegisterEquipment…" }));
  fireEvent.input(screen.getByLabelText("Its number or name"), { target: { value: "B-3" } });
  fireEvent.click(screen.getByRole("button", { name: "RegisterEquipment" }));
  await settled();
  fireEvent.click(screen.getByRole("button", { name: "ReadSeal…" }));
  fireEvent.input(screen.getByLabelText("Number of its seal"), { target: { value: "S-7" } });
  fireEvent.click(screen.getByRole("checkbox", { name: "The seal is whole" }));
  fireEvent.click(screen.getByRole("button", { name: "ReadSeal" }));
  await settled();
  fireEvent.click(screen.getByRole("button", { name: "VerifyTest…" }));
  expect(screen.queryByLabelText(/^In your words/), "what was right needs no words").toBeNull();
  fireEvent.click(screen.getByRole("radio", { name: /stayed dark/ }));
  fireEvent.input(screen.getByLabelText(/^In your words/), { target: { value: "Big is dark" } });
  fireEvent.click(screen.getByRole("button", { name: "VerifyTest" }));
  await settled();
  expect(server.sent).toEqual([
    { type: "RegisterEquipment", equipment: "bell", identity: "B-3" },
    { type: "ReadSeal", seal: "S-7", intact: false },
    { type: "VerifyTest", right: false, note: "Big is dark" },
  ]);
});

test("an auditor reads, and is offered nothing to press", () => {
  const { floor, server } = floorOf("auditor");
  render(<OpeningList floor={floor} seen={seenOf(TABLE, server)} opening={OPENING} />);
  expect(screen.queryByRole("button")).toBeNull();
});

test("what the server refuses at the opening is said", async () => {
  const { floor, server } = floorOf();
  server.answer = refused("the table is not closed", null);
  const ready = openingOf([
    wanted("open", false, stepOf("OpenTable", { standing: "next", give: { type: "OpenTable" } })),
  ]);
  render(<OpeningList floor={floor} seen={seenOf(TABLE, server)} opening={ready} />);
  expect(screen.getByText("Everything is there; the table may open.")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "OpenTable" }));
  await settled();
  expect(server.sent).toEqual([{ type: "OpenTable" }]);
  expect(screen.getByRole("alert").textContent).toBe("the table is not closed");
});

test("a suspended table says why; a pit manager resumes it, others are told who does", () => {
  const seen = seenOf({ ...TABLE, suspended: true, why: "the disk is full" });
  const { unmount } = render(<Suspension floor={floorOf("pit-manager").floor} seen={seen} />);
  expect(screen.getByText("the disk is full")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Resume the table" })).toBeTruthy();
  unmount();
  render(<Suspension floor={floorOf("supervisor").floor} seen={seen} />);
  expect(screen.queryByRole("button")).toBeNull();
  expect(screen.getByText(/A pit manager or a technician/)).toBeTruthy();
});

const SET = stepOf("SetLimits", { fields: ["limits"], second: true });

function offStep(name: string): Refused {
  const params = { name, amount_cents: 505, step_cents: 100 };
  const reason = { code: "BAD_LIMITS_OFF_STEP", params };
  return { ...refused("the limits' min of 5.05 is off the step", null), code: "BAD_LIMITS", reason };
}

test("a refusal of limits stands next to its field, until that is put right", async () => {
  const sent: unknown[] = [];
  let answer: Refused | ReturnType<typeof registered> = offStep("min");
  let closed = false;
  render(
    <LimitsForm
      limits={TABLE.limits}
      rulebook={null}
      step={SET}
      onAsk={(limits) => {
        sent.push(limits);
        return Promise.resolve(answer);
      }}
      onClose={() => (closed = true)}
    />,
  );
  const minimum = screen.getByLabelText<HTMLInputElement>("Minimum");
  expect(minimum.value).toBe("1");
  fireEvent.input(minimum, { target: { value: "5.05" } });
  const form = minimum.closest("form");
  if (form === null) throw new Error("The field is in no form.");
  fireEvent.submit(form);
  await settled();
  expect(sent).toEqual([{ minimum: 505, maximum: 1_000_000, step: 100, differential: null, boxes: {} }]);
  expect(minimum.getAttribute("aria-invalid")).toBe("true");
  const hint = minimum.getAttribute("aria-describedby") ?? "";
  expect(document.getElementById(hint)?.textContent).toContain("off the step");
  expect(closed).toBe(false);
  fireEvent.input(minimum, { target: { value: "5" } });
  await settled();
  expect(minimum.getAttribute("aria-invalid")).toBeNull();
  answer = registered({ pending: "hash" });
  fireEvent.submit(form);
  await settled();
  expect(closed).toBe(true);
});

test("what is no amount is not asked for", async () => {
  const sent: unknown[] = [];
  render(
    <LimitsForm
      limits={null}
      rulebook={null}
      step={SET}
      onAsk={(limits) => {
        sent.push(limits);
        return Promise.resolve(registered());
      }}
      onClose={() => undefined}
    />,
  );
  const minimum = screen.getByLabelText("Minimum");
  fireEvent.input(minimum, { target: { value: "five" } });
  const form = minimum.closest("form");
  if (form !== null) fireEvent.submit(form);
  await settled();
  expect(sent).toEqual([]);
  expect(screen.getByText(/This is no amount/)).toBeTruthy();
  expect(screen.getByText("An amount is wanted here.")).toBeTruthy();
});

test("while a round is under way limits wait, and are asked for once it is over", async () => {
  const sent: unknown[] = [];
  const during = { ...SET, standing: "refused", sentence: "a round is under way" } as const;
  const props = {
    limits: TABLE.limits,
    rulebook: null,
    onAsk: (limits: unknown) => {
      sent.push(limits);
      return Promise.resolve(registered({ pending: "hash" }));
    },
    onClose: () => undefined,
  };
  const { rerender } = render(<LimitsForm {...props} step={during} />);
  expect(screen.getByText("a round is under way")).toBeTruthy();
  const form = screen.getByLabelText("Minimum").closest("form");
  if (form !== null) fireEvent.submit(form);
  await settled();
  expect(sent).toEqual([]);
  expect(screen.getByText(/as soon as the round is over/)).toBeTruthy();
  rerender(<LimitsForm {...props} step={SET} />);
  await settled();
  expect(sent).toHaveLength(1);
});

test("amounts are read to the cent, and written as they are read", () => {
  expect(["", "5", "5.5", "12.50", "1,250.05", " 10 000 "].map(readAmount)).toEqual([null, 500, 550, 1250, 125_005, 1_000_000]);
  for (const wrong of ["5.555", "-1", "five", "1e3", ".", "99999999999999999"]) expect(readAmount(wrong)).toBeUndefined();
  for (const cents of [0, 5, 50, 500, 125_005]) expect(readAmount(writeAmount(cents))).toBe(cents);
});

test("limits are read as they were written, those of boxes too, and a box named twice is shown", () => {
  const limits = { minimum: 500, maximum: 500_000, step: null, differential: 300_000, boxes: { triple: [500, null] as const } };
  const sentences = { notAmount: "n", missing: "m", twice: "t" };
  const read = readLimits(writeLimits(limits), sentences);
  expect(isLimits(read) && read).toEqual(limits);
  const row = { name: "triple", minimum: "5", maximum: "" };
  expect(readLimits({ ...writeLimits(limits), boxes: [row, row] }, sentences)).toEqual({ "boxes.triple.min": "t" });
});

test("each refusal of limits has its field", () => {
  const field = (code: string, params: Record<string, string | number> = {}) => fieldOf({ reason: { code, params } });
  expect(field("BAD_LIMITS_STEP_NOT_WHOLE")).toBe("step");
  expect(field("BAD_LIMITS_OFF_STEP", { name: "boxes.small.max" })).toBe("boxes.small.max");
  expect(field("BAD_LIMITS_MINIMUM_ABOVE_MAXIMUM")).toBe("min");
  expect(field("BAD_LIMITS_BOX_MINIMUM_ABOVE_MAXIMUM", { box: "small" })).toBe("boxes.small.min");
  expect(field("BAD_LIMITS_NOTHING", { name: "min" })).toBe("min");
  expect(field("NO_DIFFERENTIAL")).toBe("differential");
  expect(field("DIFFERENTIAL_MISSING")).toBe("differential");
  expect(field("ROUND_UNDER_WAY")).toBe("form");
});
