/** The addresses of the server: whoever loses one comes back by another. */

/** The sockets at the addresses that the server tells of, its own first; none less secure than that. */
export function socketsOf(own: string, told: readonly string[]): readonly string[] {
  const first = new URL(own);
  const sockets = told.map((address) => {
    const url = new URL(first.pathname, address);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    return url;
  });
  const secure = sockets.filter(({ protocol }) => protocol === "wss:" || protocol === first.protocol);
  return [...new Set([own, ...secure.map(({ href }) => href)])];
}

/** Those at the same host: to another a browser does not send the cookie of a session. */
export function atSameHost(own: string, sockets: readonly string[]): readonly string[] {
  const { hostname } = new URL(own);
  return sockets.filter((each) => new URL(each).hostname === hostname);
}

/** Another one, by lot, so that all who were at one that is lost spread over the others. */
export function another(sockets: readonly string[], lost: string): string {
  const others = sockets.filter((each) => each !== lost);
  return others[Math.floor(Math.random() * others.length)] ?? others.at(-1) ?? lost;
}
