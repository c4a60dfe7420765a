import { render, screen } from "@testing-library/preact";
import { decodeQR } from "qr/decode.js";
import { expect, test } from "vitest";

import { Qr } from "./qr.tsx";

/** Paint the drawing with a number of dots per module, and read it as a scanner would. */
function read(drawn: Element): string {
  const modules = Number(drawn.getAttribute("viewBox")?.split(" ")[2]);
  const dots = 4;
  const width = modules * dots;
  const data = new Uint8Array(width * width * 3).fill(255);
  const path = drawn.querySelector("path")?.getAttribute("d") ?? "";
  for (const [, x, y, run] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    for (let row = Number(y) * dots; row < (Number(y) + 1) * dots; row += 1) {
      data.fill(0, (row * width + Number(x) * dots) * 3, (row * width + (Number(x) + Number(run)) * dots) * 3);
    }
  }
  return decodeQR({ width, height: width, data });
}

test.each(["123456789012345678", JSON.stringify({ stream: "table/T1", hash: "43ea".repeat(16), sum: "骰宝" })])(
  "a reader reads what was drawn: %s",
  (text) => {
    render(<Qr text={text} label="To be read" />);
    expect(read(screen.getByRole("img", { name: "To be read" }))).toBe(text);
  },
);
