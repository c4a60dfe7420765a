import { describe, expect, test, afterEach, vi } from "vitest";

import {
  LANGUAGES,
  amount,
  currency,
  duration,
  language,
  loadWords,
  money,
  percent,
  short,
  useWords,
  type Language,
} from "./words.ts";

type Messages = Readonly<Record<string, string>>;

const FILES = import.meta.glob<Messages>("./*/*.json", { import: "default", eager: true });
const codes = Object.keys(LANGUAGES) as Language[];
const areas = Object.keys(FILES)
  .filter((path) => path.startsWith("./en/"))
  .map((path) => path.slice("./en/".length, -".json".length));

const file = (code: Language, area: string): Messages => FILES[`./${code}/${area}.json`] ?? {};
/** The blanks of a message; a form for one need not say how many, and some languages do. */
const blanks = (message: string, key: string): string[] =>
  [...message.matchAll(/\{(\w+)\}/g)]
    .map(([, name = ""]) => name)
    .filter((name) => !(name === "count" && key.endsWith("_one")))
    .sort();

describe.each(areas)("the words of %s", (area) => {
  const english = file("en", area);
  const others = codes.filter((code) => code !== "en");

  test.each(others)("have the same keys in %s", (code) => {
    expect(Object.keys(file(code, area)).sort()).toEqual(Object.keys(english).sort());
  });

  test.each(others)("have the same blanks in %s", (code) => {
    const own = file(code, area);
    for (const [key, message] of Object.entries(english))
      expect({ key, blanks: blanks(own[key] ?? "", key) }).toEqual({ key, blanks: blanks(message, key) });
  });

  test.each(codes)("are never empty in %s, and plain text", (code) => {
    for (const [key, message] of Object.entries(file(code, area))) {
      expect(message.trim(), key).not.toBe("");
      expect(message, key).not.toMatch(/<|&\w+;/);
    }
  });

  test("have every form of what is counted", () => {
    for (const key of Object.keys(english).filter((each) => each.endsWith("_one")))
      expect(english).toHaveProperty([key.replace(/_one$/, "_other")]);
  });
});

test("no language has words that English has not", () => {
  const all = Object.keys(FILES).map((path) => path.replace(/^\.\/[\w-]+\//, ""));
  expect(new Set(all)).toEqual(new Set(areas.map((area) => `${area}.json`)));
});

describe("speaking", () => {
  afterEach(async () => {
    language.value = "en";
    currency.value = "SGD";
    await loadWords();
  });

  test("fills blanks, and leaves one that nobody fills to be seen", () => {
    const t = useWords("shell");
    expect(t("no_table", { table: "T{9}" })).toContain("“T{9}”");
    expect(t("no_table")).toContain("{table}");
  });

  test("chooses the form that fits a number", () => {
    const t = useWords("lobby");
    expect(t.count("closes_in", 1)).toBe("1 second left");
    expect(t.count("closes_in", 12)).toBe("12 seconds left");
  });

  test("changes everything at once when the language changes, and is remembered", async () => {
    language.value = "zh-Hant";
    expect(useWords("shell")("close")).toBe("Close");
    await loadWords();
    expect(useWords("shell")("close")).toBe("關閉");
    expect(document.documentElement.lang).toBe("zh-Hant");
    expect(localStorage.getItem("taisai.language")).toBe("zh-Hant");
  });

  test("words that cannot be read are read again after a growing pause, until they are there", async () => {
    vi.useFakeTimers();
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    let failures = 3;
    vi.doMock("./zh-Hant/shell.json", () => {
      failures -= 1;
      if (failures >= 0) throw new Error("the server is busy");
      return { default: { close: "關閉" } };
    });
    await loadWords("shell");
    language.value = "zh-Hant";
    for (const [left, pause] of [[2, 1_000], [1, 2_000], [0, 4_000]] as const) {
      await vi.dynamicImportSettled();
      expect(failures).toBe(left);
      expect(useWords("shell")("close"), "the words of before stay").toBe("Close");
      await vi.advanceTimersByTimeAsync(pause - 1);
      expect(failures, "it waits").toBe(left);
      await vi.advanceTimersByTimeAsync(1);
    }
    await vi.dynamicImportSettled();
    expect(useWords("shell")("close")).toBe("關閉");
    expect(warn).toHaveBeenCalledTimes(3);
    vi.doUnmock("./zh-Hant/shell.json");
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  test("whoever changes it twice hears the last", async () => {
    language.value = "zh-Hant";
    language.value = "zh-Hans";
    await loadWords();
    expect(useWords("shell")("close")).toBe("关闭");
  });
});

describe("figures", () => {
  afterEach(() => {
    currency.value = "SGD";
  });

  test("money is in the server's currency, in its own minor units", () => {
    expect(money(125_000)).toBe("$1,250.00");
    expect(amount(125_050)).toBe("1,250.50");
    currency.value = "JPY";
    expect(money(1250)).toBe("¥1,250");
    expect(amount(1250)).toBe("1,250");
  });

  test("short amounts are exact", () => {
    expect(short(500)).toBe("5");
    expect(short(1250)).toBe("12.50");
    expect(short(100_000_000)).toBe("1,000,000");
  });

  test("shares and lengths of time", () => {
    expect(percent(0.0278)).toBe("2.78%");
    expect(duration(65_000)).toBe("1:05");
    expect(duration(3_725_000)).toBe("1:02:05");
    expect(duration(-5)).toBe("0:00");
  });
});
