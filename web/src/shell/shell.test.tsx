import { signal } from "@preact/signals";
import { act, fireEvent, render, screen } from "@testing-library/preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import type { Behind, Link, Status } from "../live/index.ts";
import { noted, sayAgainBy } from "../words/said.ts";
import { language, loadWords, useWords } from "../words/words.ts";
import { Announcer, announce } from "./announcer.tsx";
import { Boundary } from "./boundary.tsx";
import { Button } from "./controls/button.tsx";
import { Field } from "./controls/field.tsx";
import { stored } from "./settings/storage.ts";
import { LineBanner, followLine } from "./connection.tsx";
import { NoticeNow, NoticeTool, notify } from "./notices.tsx";

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("what is announced is said, and said again when it happens again", () => {
  render(<Announcer />);
  act(() => announce("Place your bets"));
  const first = screen.getByRole("status").firstElementChild;
  expect(first?.textContent).toBe("Place your bets");
  act(() => announce("Place your bets"));
  expect(screen.getByRole("status").firstElementChild).not.toBe(first);
  act(() => announce("No more bets", "assertive"));
  expect(screen.getByRole("alert").textContent).toBe("No more bets");
});

test("nothing announced in words of another language stays once its own are there", async () => {
  render(<Announcer />);
  act(() => {
    language.value = "zh-Hans";
  });
  // The words of before are spoken until the new ones have been read.
  act(() => announce("You won"));
  await act(() => loadWords());
  expect(screen.getByRole("status").textContent).toBe("");
  language.value = "en";
  await act(() => loadWords());
});

test("a button that is busy takes no second press, and keeps the focus", () => {
  const pressed = vi.fn();
  const { rerender } = render(<Button onClick={pressed}>Send</Button>);
  const button = screen.getByRole("button");
  button.focus();
  fireEvent.click(button);
  rerender(
    <Button busy onClick={pressed}>
      Send
    </Button>,
  );
  fireEvent.click(button);
  expect(pressed).toHaveBeenCalledOnce();
  expect(document.activeElement).toBe(button);
  expect(button.getAttribute("aria-busy")).toBe("true");
});

test("a field tells its name, what is right and what is wrong", () => {
  render(<Field label="PIN" hint="6 to 12 digits" fault="too short" />);
  const field = screen.getByLabelText("PIN");
  const ids = field.getAttribute("aria-describedby")?.split(" ") ?? [];
  expect(ids.map((id) => document.getElementById(id)?.textContent)).toEqual(["6 to 12 digits", "Too short"]);
  expect(field.getAttribute("aria-invalid")).toBe("true");
});

/** The notice in the bar; null: none. */
const shownNotice = () => document.querySelector(".notice-text")?.textContent ?? null;
const pass = (ms: number): void => {
  act(() => {
    vi.advanceTimersByTime(ms);
  });
};

test("notices go by themselves when they were read, a refusal too, and can be read again", async () => {
  render(
    <header class="top">
      <NoticeNow />
      <NoticeTool />
    </header>,
  );
  act(() => notify("Cashed out"));
  expect(shownNotice()).toBe("Cashed out");
  pass(6_000);
  expect(shownNotice()).toBeNull();
  act(() => notify("The table is closed", "refused"));
  pass(9_000);
  expect(shownNotice()).toBe("The table is closed");
  pass(5_000);
  expect(shownNotice(), "it leaves without being closed").toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Notices: 2 new" }));
  const listed = (await screen.findAllByRole("listitem")).map((each) => each.textContent);
  expect(listed[0]).toContain("The table is closed");
  expect(listed[1]).toContain("Cashed out");
  fireEvent.click(screen.getByRole("button", { name: "Close" }));
  await screen.findByRole("button", { name: "Notices" });
});

test("several notices take turns, one that is pointed at stays, and one is closed at will", () => {
  render(
    <header class="top">
      <NoticeNow />
    </header>,
  );
  act(() => {
    for (const text of ["One", "Two", "Three"]) notify(text);
  });
  expect(shownNotice()).toBe("One");
  pass(3_000);
  expect(shownNotice()).toBe("Two");
  fireEvent.pointerEnter(screen.getByRole("region", { name: "Notice" }));
  pass(60_000);
  expect(shownNotice()).toBe("Two");
  fireEvent.click(screen.getByRole("button", { name: "Close" }));
  expect(shownNotice()).toBe("Three");
  pass(20_000);
  expect(shownNotice()).toBeNull();
});

test("a notice is said in the language of the moment: in our own words, or by the server's reason", async () => {
  vi.useRealTimers();
  const asked: unknown[] = [];
  sayAgainBy((tongue, reasons) => {
    asked.push([tongue, reasons]);
    return Promise.resolve(["没有这张赌桌"]);
  });
  render(
    <header class="top">
      <NoticeNow />
    </header>,
  );
  const reason = { code: "UNKNOWN_TABLE", params: { there: "T1" } };
  act(() => notify(noted("there is no such table", reason), "refused"));
  act(() => notify(() => useWords("shell")("close")));
  await act(async () => {
    language.value = "zh-Hans";
    await loadWords();
  });
  await screen.findByText("没有这张赌桌");
  expect(asked).toEqual([["zh-Hans", [reason]]]);
  act(() => void fireEvent.click(screen.getByRole("button", { name: "关闭" })));
  expect(shownNotice()).toBe("关闭");
  await act(async () => {
    language.value = "en";
    await loadWords();
  });
  expect(shownNotice()).toBe("Close");
});

function linkWith(status: Status) {
  const states = { status: signal(status), why: signal<string | null>(null), behind: signal<Behind | null>(null) };
  return { ...states, link: states as unknown as Link };
}

test("a lost line is said once, with the seconds it is away, until it is back", () => {
  const { status, link } = linkWith("live");
  const end = followLine(link);
  render(<LineBanner />);
  expect(screen.queryByRole("alert")).toBeNull();
  act(() => {
    status.value = "lost";
  });
  expect(screen.queryByRole("alert"), "a moment is not worth a word").toBeNull();
  act(() => {
    vi.advanceTimersByTime(3_500);
  });
  expect(screen.getByRole("alert").textContent).toBe("The line is lost; trying again… What is registered is safe.");
  expect(screen.getByText("0:03")).toBeTruthy();
  act(() => {
    status.value = "live";
  });
  expect(screen.queryByRole("alert")).toBeNull();
  end();
});

test("a line that the server ended says why, in the server's words", () => {
  const { status, why, link } = linkWith("live");
  const end = followLine(link);
  render(<LineBanner />);
  act(() => {
    why.value = "this session is over";
    status.value = "ended";
  });
  expect(screen.getByRole("alert").textContent).toContain("this session is over");
  expect(screen.getByRole("button", { name: "Load again" })).toBeTruthy();
  act(end);
  expect(screen.queryByRole("alert")).toBeNull();
});

test("a venue that ends before what a screen was told of is said, until it is read", () => {
  const { behind, link } = linkWith("live");
  const end = followLine(link);
  render(<LineBanner />);
  expect(screen.queryByRole("alert")).toBeNull();
  act(() => {
    behind.value = { seen: 1_240, ends: 1_180 };
  });
  expect(screen.getByRole("alert").textContent).toContain("checkpoint 1,240 then, 1,180 now");
  fireEvent.click(screen.getByRole("button", { name: "I have read this" }));
  expect(screen.queryByRole("alert")).toBeNull();
  act(end);
});

test("a line that is lost is said before all else", () => {
  const { status, behind, link } = linkWith("live");
  const end = followLine(link);
  render(<LineBanner />);
  act(() => {
    behind.value = { seen: 9, ends: 8 };
    status.value = "ended";
  });
  expect(screen.getByRole("alert").textContent).toContain("ended this connection");
  act(end);
});

test("a screen that breaks shows a sentence, and another screen is well again", () => {
  const reported = vi.fn();
  vi.stubGlobal("reportError", reported);
  const Breaks = (): never => {
    throw new Error("ours");
  };
  const { rerender } = render(
    <Boundary of="play">
      <Breaks />
    </Boundary>,
  );
  expect(screen.getByRole("alert").textContent).toContain("it is ours, not yours");
  expect(reported).toHaveBeenCalledOnce();
  rerender(
    <Boundary of="lobby">
      <p>The floor</p>
    </Boundary>,
  );
  expect(screen.getByText("The floor")).toBeTruthy();
  vi.unstubAllGlobals();
});

test("only a wish is remembered, not a first guess", () => {
  localStorage.clear();
  const value = stored("test", ["a", "b"], () => "a");
  expect(localStorage.getItem("taisai.test")).toBeNull();
  value.value = "b";
  expect(localStorage.getItem("taisai.test")).toBe("b");
  expect(stored("test", ["a", "b"], () => "a").value).toBe("b");
  localStorage.setItem("taisai.test", "nonsense");
  expect(stored("test", ["a", "b"], () => "a").value).toBe("a");
});
