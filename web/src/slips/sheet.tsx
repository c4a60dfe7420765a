/** A sheet of paper, which is printed instead of the screen as long as it is mounted. */

import { render, type ComponentChild } from "preact";
import { useEffect } from "preact/hooks";

import "./sheet.css";

/** The paper: a slip of 80 mm, or a page. */
export type Paper = "slip" | "page";

/** Print its content, and nothing else, as long as its parent is mounted. */
export function useSheet(content: ComponentChild, paper: Paper): void {
  useEffect(() => {
    const sheet = document.createElement("div");
    sheet.className = `sheet sheet-${paper}`;
    document.body.append(sheet);
    render(content, sheet);
    return () => {
      render(null, sheet);
      sheet.remove();
    };
  });
}
