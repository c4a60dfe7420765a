import { render, waitFor } from "@testing-library/preact";
import { afterEach, expect, test, vi } from "vitest";

import { useAnswer } from "./answer.ts";

function Answered({ path }: { readonly path: string }) {
  return <p>{useAnswer<string>(() => [path]).value ?? "nothing yet"}</p>;
}

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a server out of reach is asked again, and is no fault to warn of", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const warned = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const answers = [() => Promise.reject(new TypeError("gone")), () => Promise.resolve(new Response('"here"'))];
  vi.stubGlobal("fetch", () => answers.shift()?.());
  const { container } = render(<Answered path="/api/results" />);
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
  await vi.advanceTimersByTimeAsync(5_000);
  await vi.waitFor(() => expect(container.textContent).toBe("here"));
  expect(warned).not.toHaveBeenCalled();
});

test("an answer that cannot be used is warned of", async () => {
  const warned = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  vi.stubGlobal("fetch", () => Promise.resolve(new Response("{}", { status: 500 })));
  render(<Answered path="/api/results" />);
  await waitFor(() => expect(warned).toHaveBeenCalledOnce());
});
