import type { ButtonHTMLAttributes } from "preact";

import "./button.css";

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "class"> {
  /** `main` is the one thing to do here; `grave` cannot be taken back. */
  readonly kind?: "main" | "plain" | "quiet" | "grave";
  /** While its action is carried out: the button stays in its place and takes no second press. */
  readonly busy?: boolean;
  readonly class?: string;
}

/** A button. */
export function Button({ kind = "plain", busy = false, class: more, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      class={`button button-${kind}${more === undefined ? "" : ` ${more}`}`}
      aria-disabled={busy || rest["aria-disabled"] || undefined}
      aria-busy={busy || undefined}
      onClick={(event) => {
        // Disabled by ARIA, not by the attribute, so that it keeps the focus.
        if (busy) event.preventDefault();
        else rest.onClick?.(event);
      }}
    />
  );
}
