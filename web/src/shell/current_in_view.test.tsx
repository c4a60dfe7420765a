import { render } from "@testing-library/preact";
import { useRef } from "preact/hooks";
import { afterEach, expect, test, vi } from "vitest";

import { useCurrentInView } from "./current_in_view.ts";

const WIDTH = 100;
const ROW = 300;

function Row({ current }: { readonly current: number }) {
  const row = useRef<HTMLElement>(null);
  useCurrentInView(row, String(current));
  return (
    <nav ref={row}>
      {[0, 1, 2, 3, 4, 5].map((each) => (
        <a key={each} href="/" aria-current={each === current ? "page" : undefined}>
          {each}
        </a>
      ))}
    </nav>
  );
}

/** Gives six equally wide links places in a row that shows three: nothing is laid out here. */
function layOut(): void {
  vi.spyOn(Element.prototype, "getBoundingClientRect").mockImplementation(function (this: Element) {
    if (this.tagName === "NAV") return new DOMRect(0, 0, ROW, 1);
    const scrolled = this.parentElement?.scrollLeft ?? 0;
    return new DOMRect(Number(this.textContent) * WIDTH - scrolled, 0, WIDTH, 1);
  });
}

afterEach(() => {
  vi.restoreAllMocks();
});

test("the link that is open comes to the middle of its row, and again when the window is turned", () => {
  layOut();
  const { container, rerender } = render(<Row current={3} />);
  const row = container.querySelector("nav");
  if (row === null) throw new Error("no row");
  expect(row.scrollLeft).toBe(200);
  rerender(<Row current={4} />);
  expect(row.scrollLeft).toBe(300);
  row.scrollLeft = 0;
  window.dispatchEvent(new Event("resize"));
  expect(row.scrollLeft).toBe(300);
});
