/** Whose kept money it is: the server names it by the seat and the round. */
export function unclaimedParts(name: string): { readonly seat: string; readonly round: string } | null {
  const found = /^(.+)@(\d+)$/.exec(name);
  return found === null ? null : { seat: found[1] ?? "", round: found[2] ?? "" };
}
