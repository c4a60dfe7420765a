import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

import { useWords } from "../../words/words.ts";
import { Button } from "./button.tsx";
import "./dialog.css";

interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** Called when the dialog is closed in any way; the caller then removes it. */
  readonly onClose: () => void;
  /** Whether it has a close button; a dialog that asks a question has its answers instead. */
  readonly closable?: boolean;
  readonly wide?: boolean;
}

/** A modal window. It keeps the focus, and returns it to where it was before. */
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
        // The backdrop is the dialog element itself; its content is in the element below.
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
