// @ts-check
// A Player Terminal in plain JavaScript: hello, snapshot, bets that are pending until they are
// registered or refused, and going on after a lost connection. It needs nothing but a WebSocket, so
// it runs in a page (terminal.html) and without one:
//
//   node examples/terminal_node.js http://127.0.0.1:8888
//
// docs/protocol.md tells the rules that it follows. Nothing of the game is worked out here.

/**
 * @typedef {import("../web/src/protocol.ts").ClientMessage} ClientMessage
 * @typedef {import("../web/src/protocol.ts").ServerMessage} ServerMessage
 * @typedef {import("../web/src/protocol.ts").WireCommand} WireCommand
 * @typedef {import("../web/src/protocol.ts").TerminalKey} TerminalKey
 * @typedef {import("../web/src/protocol.ts").TableView} TableView
 * @typedef {import("../web/src/protocol.ts").PositionView} PositionView
 * @typedef {import("../web/src/protocol.ts").Private} Private
 */

/**
 * Something that was asked: sent again with the same id until it is answered.
 * @typedef {object} Asked
 * @property {string} id
 * @property {WireCommand} command
 * @property {"pending" | "registered" | "refused"} state
 * @property {string} [sentence] why it was refused, to be shown as it is
 */

const PROTOCOL = 1;
const ASKED_KEPT = 50;
/** Close codes after which coming back would help nobody; docs/protocol.md has them all. */
const FOR_GOOD = [4000, 4001, 4002, 4004];

/** One terminal at its table, kept up to date. `changed` is called whenever something is new. */
export class Terminal {
  /**
   * @param {string} address the venue, like http://127.0.0.1:8888
   * @param {TerminalKey} key
   * @param {() => void} changed
   */
  constructor(address, key, changed) {
    this.url = `${address.replace(/^http/, "ws").replace(/\/$/, "")}/api/live`;
    this.key = key;
    this.changed = changed;
    this.connected = false;
    /** Why there is no coming back, once there is none. */
    this.over = "";
    this.credits = 0;
    this.staked = 0;
    /** @type {PositionView["bets"]} */
    this.bets = {};
    /** @type {PositionView | null} */
    this.view = null;
    /** @type {TableView | null} */
    this.table = null;
    /** @type {number | null} */
    this.closesAt = null;
    /** The last round of this terminal, in words. */
    this.last = "";
    /** @type {Asked[]} */
    this.asked = [];
    /** How far the venue's clock is ahead of ours, in milliseconds. */
    this.ahead = 0;
    /** @type {number | null} */
    this.own = null;
    /** @type {number | null} */
    this.public = null;
    this.tries = 0;
    this.count = 0;
    this.mark = Math.random().toString(36).slice(2, 8);
    /** @type {WebSocket | null} */
    this.socket = null;
    this.closing = false;
  }

  /** Connect, and come back whenever the connection is lost. */
  connect() {
    const socket = new WebSocket(this.url);
    this.socket = socket;
    socket.onopen = () => {
      this.say({ type: "Hello", protocol: PROTOCOL, terminal: this.key, after: this.own });
    };
    socket.onmessage = (event) => {
      // A frame holds one message a line.
      for (const line of String(event.data).split("\n")) this.receive(JSON.parse(line));
      this.changed();
    };
    socket.onclose = (event) => {
      this.connected = false;
      if (FOR_GOOD.includes(event.code)) this.over ||= event.reason || "closed by the venue";
      if (!this.over && !this.closing) {
        // Twice as long each time, with chance in it: a hall full of terminals comes back slowly.
        const delay = Math.min(30_000, 250 * 2 ** this.tries) * (0.5 + Math.random() / 2);
        this.tries += 1;
        setTimeout(() => this.connect(), delay);
      }
      this.changed();
    };
  }

  /** Leave for good. */
  close() {
    this.closing = true;
    this.socket?.close();
  }

  /** The venue's time in milliseconds. */
  now() {
    return Date.now() + this.ahead;
  }

  /**
   * Place a bet; it is on the table when its state is "registered", and not before.
   * @param {string} box
   * @param {number} stake
   */
  place(box, stake) {
    const terminal = this.key.terminal;
    return this.ask({ type: "PlaceBets", terminal, bets: [[box, stake]] });
  }

  /** Take all bets back. */
  clear() {
    return this.ask({ type: "ClearBets", terminal: this.key.terminal });
  }

  /**
   * @param {WireCommand} command
   * @returns {Asked}
   */
  ask(command) {
    // The time it was made, by the venue's clock, then a text of our own.
    const id = `${Math.round(this.now())}-${this.mark}${(this.count += 1)}`;
    /** @type {Asked} */
    const asked = { id, command, state: "pending" };
    this.asked = [...this.asked, asked].slice(-ASKED_KEPT);
    this.send(asked);
    // Whoever asked has what is returned before anything is shown of it.
    queueMicrotask(this.changed);
    return asked;
  }

  /** @param {Asked} asked */
  send(asked) {
    if (!this.connected) return;
    const { id, command } = asked;
    this.say({ type: "Ask", to: this.key.table, id, command });
  }

  /** @param {ClientMessage} message */
  say(message) {
    this.socket?.send(JSON.stringify(message));
  }

  /** @param {ServerMessage} message */
  receive(message) {
    switch (message.type) {
      case "Welcome":
        this.connected = true;
        this.tries = 0;
        this.ahead = message.at - Date.now();
        this.say({ type: "Watch", table: this.key.table, after: this.public });
        // Whatever has no answer is asked again: the same id is carried out once.
        for (const asked of this.asked) if (asked.state === "pending") this.send(asked);
        break;
      case "TerminalSnapshot":
        this.own = message.sequence;
        this.show(message.view);
        break;
      case "Private":
        // News of its own bets have their id, and are the answer to them.
        if (message.id) this.receiveAnswer({ type: "Registered", id: message.id });
        this.receiveOwn(message);
        break;
      case "TableSnapshot":
        this.public = message.sequence;
        this.table = message.view;
        this.closesAt = message.closes_at ?? null;
        break;
      case "Public":
        if (this.isNext(message) && this.table) {
          this.table = applied(this.table, message.changes ?? {}, ["totals", "rounds"]);
        }
        break;
      case "Countdown":
        if (message.table === this.key.table) this.closesAt = message.closes_at ?? null;
        break;
      case "Registered":
      case "Refused":
        this.receiveAnswer(message);
        break;
      case "Fault":
        this.last = message.sentence;
        break;
      default:
      // Whatever a newer venue says besides is not for us.
    }
  }

  /** @param {{type: "Registered", id: string} | Extract<ServerMessage, {type: "Refused"}>} message */
  receiveAnswer(message) {
    const asked = this.asked.find((each) => each.id === message.id);
    if (!asked) return;
    if (message.type === "Registered") {
      asked.state = "registered";
    } else if (message.again) {
      // Not now, but as it is: with the same id, after a moment.
      setTimeout(() => this.send(asked), 250);
    } else {
      asked.state = "refused";
      asked.sentence = message.sentence;
    }
  }

  /**
   * Say whether news of the table comes next; where something was missed, ask for it.
   * @param {{sequence: number, after: number}} message
   */
  isNext(message) {
    if (this.public === null || message.sequence <= this.public) return false;
    if (message.after > this.public) {
      this.say({ type: "Watch", table: this.key.table, after: this.public });
      return false;
    }
    this.public = message.sequence;
    return true;
  }

  /** @param {Private} message */
  receiveOwn(message) {
    if (this.own === null || message.sequence <= this.own) return;
    if (message.after > this.own) {
      // One's own channel is resumed by saying hello again.
      this.socket?.close();
      return;
    }
    this.own = message.sequence;
    if (this.view) this.show(applied(this.view, message.changes ?? {}, ["bets"]));
    const last = message.changes?.last;
    if (last) this.last = `round ${last.round}: ${last.back} came back`;
  }

  /** @param {PositionView} view */
  show(view) {
    this.view = view;
    this.credits = view.credits;
    this.staked = view.staked;
    this.bets = view.bets;
  }
}

/**
 * Bring a view up to date: fields are set; of maps, entries are set or, where they are null, removed.
 * @template {object} View
 * @param {View} view
 * @param {object} changes
 * @param {string[]} maps
 * @returns {View}
 */
function applied(view, changes, maps) {
  /** @type {Record<string, any>} */
  const next = { ...view };
  for (const [name, value] of Object.entries(changes)) {
    const entries = value === null ? [] : Object.entries({ ...next[name], ...value });
    next[name] = maps.includes(name)
      ? Object.fromEntries(entries.filter(([, entry]) => entry !== null))
      : value;
  }
  return /** @type {View} */ (next);
}

/**
 * Take a seat in a demo venue; in another a technician enrols the terminal and gives it its key.
 * @param {string} address
 * @param {string} [table]
 * @returns {Promise<TerminalKey>}
 */
export async function demoTerminal(address, table) {
  const response = await fetch(`${address.replace(/\/$/, "")}/api/demo/terminals`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(table === undefined ? {} : { table }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.detail);
  return { table: answer.table, terminal: answer.terminal, key: answer.key };
}

/**
 * Which boxes a pay table has, by their key, like `small` or `total-10`.
 * @param {string} address
 * @param {string} payTable
 * @returns {Promise<string[]>}
 */
export async function boxesOf(address, payTable) {
  const response = await fetch(`${address.replace(/\/$/, "")}/api/pay-tables/${payTable}/odds`);
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.detail);
  return answer.boxes.map((/** @type {{box: string}} */ each) => each.box);
}
