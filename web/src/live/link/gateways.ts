/** The server's addresses: a client that loses one gateway reconnects through another. */

/** The sockets at the addresses the server sent, our own first; none less secure than ours. */
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

/** The sockets at our own host: a browser sends a session's cookie to no other. */
export function atSameHost(own: string, sockets: readonly string[]): readonly string[] {
  const { hostname } = new URL(own);
  return sockets.filter((each) => new URL(each).hostname === hostname);
}

/** A random other socket, so that the clients of a lost gateway spread over the others. */
export function another(sockets: readonly string[], lost: string): string {
  const others = sockets.filter((each) => each !== lost);
  return others[Math.floor(Math.random() * others.length)] ?? others.at(-1) ?? lost;
}
