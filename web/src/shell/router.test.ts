import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { addressOf, go, here, readAddress, startRouter } from "./router.ts";

const at = (path: string) => readAddress(new URL(path, "http://venue.example"));

describe("an address", () => {
  test.each([
    ["/", "lobby"],
    ["/play?table=sic-bo", "play"],
    ["/console/", "console"],
    ["/pit", "pit"],
    ["/display", "display"],
    ["/audit", "audit"],
    ["/lobby", null],
    ["/playing", null],
    ["/play/more", null],
  ])("%s is of %s", (path, screen) => {
    expect(at(path).screen).toBe(screen);
  });

  test("names its table, whatever letters that has", () => {
    const address = addressOf("play", "T 1/ä&b");
    expect(at(address).screen).toBe("play");
    expect(at(address).query.get("table")).toBe("T 1/ä&b");
    expect(addressOf("lobby")).toBe("/");
  });
});

describe("going about", () => {
  let stop = (): void => undefined;

  beforeEach(() => {
    history.replaceState(null, "", "/");
    go("/", "replace");
    stop = startRouter();
  });

  afterEach(() => {
    stop();
    document.body.replaceChildren();
  });

  function click(html: Partial<HTMLAnchorElement>, init: MouseEventInit = {}): MouseEvent {
    const link = Object.assign(document.createElement("a"), html);
    document.body.append(link);
    const event = new MouseEvent("click", { bubbles: true, cancelable: true, button: 0, ...init });
    link.dispatchEvent(event);
    return event;
  }

  test("a link of the server shows its screen without a new page", () => {
    const event = click({ href: "/play?table=T1" });
    expect(event.defaultPrevented).toBe(true);
    expect(here.value.screen).toBe("play");
    expect(here.value.query.get("table")).toBe("T1");
    expect(location.pathname).toBe("/play");
  });

  test.each([
    ["with a key held", { href: "/pit" }, { ctrlKey: true }],
    ["into another window", { href: "/pit", target: "_blank" }, {}],
    ["to a file", { href: "/openapi.json" }, {}],
    ["to a part of the page", { href: "/#main" }, {}],
  ])("a link %s is the browser's", (_, link, init) => {
    // No page may load here: clicks that the router ignores are stopped at the window.
    const stopIt = (event: Event): void => {
      expect(event.defaultPrevented).toBe(false);
      event.preventDefault();
    };
    addEventListener("click", stopIt, { once: true });
    click(link, init);
    expect(here.value.screen).toBe("lobby");
  });

  test("back and forward go where one was", () => {
    go("/pit");
    history.replaceState(null, "", "/");
    dispatchEvent(new PopStateEvent("popstate"));
    expect(here.value.screen).toBe("lobby");
  });

  test("it ends when it is told to", () => {
    stop();
    addEventListener("click", (event) => event.preventDefault(), { once: true });
    click({ href: "/pit" });
    expect(here.value.screen).toBe("lobby");
  });
});
