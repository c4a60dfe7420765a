/** Whose kept money it is: the server names a session by the seat and its number there. */
export function unclaimedParts(name: string): { readonly seat: string; readonly number: string } | null {
  const found = /^(.+)@(\d+)$/.exec(name);
  return found === null ? null : { seat: found[1] ?? "", number: found[2] ?? "" };
}

/** The same to fill a sentence with; a name of another kind stands for itself. */
export function sessionBlanks(name: string): { readonly place: string; readonly number: string } {
  const parts = unclaimedParts(name);
  return { place: parts?.seat ?? name, number: parts?.number ?? "–" };
}
