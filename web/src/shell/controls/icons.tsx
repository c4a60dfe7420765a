/** The icons of the shell, drawn with a line; a screen reader reads their buttons instead. */

function Icon({ d }: { readonly d: string }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path d={d} />
    </svg>
  );
}

export const Moon = () => <Icon d="M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5Z" />;

export const Sun = () => (
  <Icon d="M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM12 2v2.5M12 19.5V22M2 12h2.5M19.5 12H22M4.9 4.9l1.8 1.8M17.3 17.3l1.8 1.8M4.9 19.1l1.8-1.8M17.3 6.7l1.8-1.8" />
);

export const Bell = () => (
  <Icon d="M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 1.5h-15ZM10 21h4M12 5V3" />
);

export const BellOff = () => (
  <Icon d="M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 1.5h-15ZM10 21h4M12 5V3M3 3l18 18" />
);

export const Voice = () => (
  <Icon d="M4 5h16v11h-9l-5 4v-4H4ZM8 9h8M8 12h5" />
);

export const VoiceOff = () => (
  <Icon d="M4 5h16v11h-9l-5 4v-4H4ZM3 3l18 18" />
);

export const Notes = () => <Icon d="M5 3h14v18l-3.5-2.5L12 21l-3.5-2.5L5 21ZM9 8h6M9 12h6" />;

/** The sign of the venue: three ivory dice, the first showing its red one. */
export function Mark({ class: name }: { readonly class: string }) {
  return (
    <svg class={name} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="var(--layout)" />
      <rect x="6" y="6" width="20" height="20" rx="5" fill="var(--die)" />
      <circle cx="16" cy="16" r="4" fill="var(--pip-red)" />
    </svg>
  );
}
