import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

import { useWords } from "../../words/words.ts";
import { Button } from "./button.tsx";
import "./dialog.css";

interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** Asked when it is closed in any way; whoever shows it then shows it no longer. */
  readonly onClose: () => void;
  /** Whether it has a button of its own to close it; one that asks a question has its answers. */
  readonly closable?: boolean;
  readonly wide?: boolean;
}

/** A window before everything else. The focus is kept in it, and goes back to where it came from. */
export function Dialog({ title, children, onClose, closable = true, wide = false }: DialogProps) {
  const t = useWords("shell");
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const from = document.activeElement;
    const shown = dialog.current;
    shown?.showModal();
    return () => {
      shown?.close();
      if (from instanceof HTMLElement && from.isConnected) from.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={wide ? "dialog dialog-wide" : "dialog"}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        // The ground around it is the dialog itself: what is inside lies on the part below.
        if (closable && event.target === dialog.current) onClose();
      }}
    >
      <div class="dialog-part">
        <header class="dialog-head">
          <h2 id={id}>{title}</h2>
          {closable && (
            <Button kind="quiet" aria-label={t("close")} onClick={onClose}>
              ✕
            </Button>
          )}
        </header>
        {children}
      </div>
    </dialog>
  );
}
