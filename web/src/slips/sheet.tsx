/** A sheet of paper: what is printed instead of the screen, for as long as it is shown. */

import { render, type ComponentChild } from "preact";
import { useEffect } from "preact/hooks";

import "./sheet.css";

/** The paper: a slip of 80 mm, or a page. */
export type Paper = "slip" | "page";

/** Have this printed, and nothing else, until whoever shows it is gone. */
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
