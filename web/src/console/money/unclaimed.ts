/** The session of unclaimed money: the server names it by its seat and its number there. */
export function unclaimedParts(name: string): { readonly seat: string; readonly number: string } | null {
  const found = /^(.+)@(\d+)$/.exec(name);
  return found === null ? null : { seat: found[1] ?? "", number: found[2] ?? "" };
}

/** The same as blanks of a sentence; any other name is used as it is. */
export function sessionBlanks(name: string): { readonly place: string; readonly number: string } {
  const parts = unclaimedParts(name);
  return { place: parts?.seat ?? name, number: parts?.number ?? "–" };
}
