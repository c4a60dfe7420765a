import type { ButtonHTMLAttributes } from "preact";

import "./button.css";

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "class"> {
  /** `main` is the one thing to do here; `grave` cannot be taken back. */
  readonly kind?: "main" | "plain" | "quiet" | "grave";
  /** While it is being carried out: it stays in its place and takes no second press. */
  readonly busy?: boolean;
  readonly class?: string;
}

/** Something to press. */
export function Button({ kind = "plain", busy = false, class: more, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      class={`button button-${kind}${more === undefined ? "" : ` ${more}`}`}
      aria-disabled={busy || rest["aria-disabled"] || undefined}
      aria-busy={busy || undefined}
      onClick={(event) => {
        // Disabled by words, not by the attribute: the focus stays where it was.
        if (busy) event.preventDefault();
        else rest.onClick?.(event);
      }}
    />
  );
}
