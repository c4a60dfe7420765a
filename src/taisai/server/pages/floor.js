// The floor on a plain page: a table's public channel, live, and in a demo house a terminal.
// Nothing of the game is worked out here: what is shown is what the house says.

/**
 * @template {import("../../../../web/src/protocol.ts").ServerMessage["type"]} Type
 * @typedef {Extract<import("../../../../web/src/protocol.ts").ServerMessage, { type: Type }>} Told
 */
/**
 * @typedef {import("../../../../web/src/protocol.ts").ClientMessage} ClientMessage
 * @typedef {import("../../../../web/src/protocol.ts").ServerMessage} ServerMessage
 * @typedef {import("../../../../web/src/protocol.ts").AnyPublicEvent} AnyPublicEvent
 * @typedef {import("../../../../web/src/protocol.ts").TableView} TableView
 * @typedef {import("../../../../web/src/protocol.ts").Language} Language
 * @typedef {Omit<TableView, "totals"> & { totals: Record<string, number> }} View
 * @typedef {{ table: string, terminal: string, key: string, credits: number }} Seat
 * @typedef {{ box: string, kind: string, pays: string | Record<string, string> }} BoxOdds
 * @typedef {{ message: ClientMessage, box: string, stake: number }} Waiting
 */

const PROTOCOL = 1;
const LOG_MAX = 200;
const ANSWERS_MAX = 20;
const RECONNECT_MS = [250, 500, 1000, 2000, 5000];
const AGAIN_MS = 500;
const DICE = ["", "⚀", "⚁", "⚂", "⚃", "⚄", "⚅"];
/** @type {Record<string, string>} */
const PHASES = {
  new: "not set up",
  closed: "table closed",
  ready: "between rounds",
  tumbled: "dice tumbled",
  betting: "bets are open",
  "no-more-bets": "no more bets",
  result: "result entered",
  confirmed: "result confirmed",
  suspended: "suspended",
};

const state = {
  /** @type {string | null} */
  table: null,
  /** @type {View | null} */
  view: null,
  /** @type {"automatic" | "person"} */
  dealer: "person",
  suspended: false,
  sequence: 0,
  /** @type {number | null} */
  closesAt: null,
  ahead: 0,
  demo: false,
  /** @type {Seat | null} */
  seat: null,
  /** @type {Record<string, string>} */
  names: {},
  /** @type {Language} */
  language: "en",
  tries: 0,
  asked: 0,
  /** @type {Map<string, Waiting>} */
  waiting: new Map(),
  refreshing: 0,
};
/** @type {WebSocket | null} */
let socket = null;

// --- small things --------------------------------------------------------------------------------

/**
 * Find a part of the page, of the kind it is there.
 * @template {HTMLElement} Kind
 * @param {string} id
 * @param {new () => Kind} kind
 * @returns {Kind}
 */
function part(id, kind) {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page has no ${id}`);
  return found;
}

/** @param {string} id */
const at = (id) => part(id, HTMLElement);

/** @param {number} cents */
const money = (cents) =>
  (cents / 100).toLocaleString(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const now = () => Date.now() + state.ahead;
/** @param {string} box */
const named = (box) => state.names[box] ?? box;

/** @param {string} id @param {string} value */
function text(id, value) {
  if (at(id).textContent !== value) at(id).textContent = value;
}

/** @param {string} list @param {string} value @param {number} most */
function item(list, value, most) {
  const line = document.createElement("li");
  const time = document.createElement("time");
  time.dateTime = new Date(now()).toISOString();
  time.textContent = new Date(now()).toLocaleTimeString();
  line.append(time, value);
  at(list).prepend(line);
  while (at(list).children.length > most) at(list).lastChild?.remove();
}

/** @param {string} path @param {object} [body] */
async function ask(path, body) {
  const options = body === undefined ? {} : {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
  const answer = await fetch(path, options);
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.detail);
  return told;
}

// --- the socket ----------------------------------------------------------------------------------

function connect() {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  socket = new WebSocket(`${scheme}//${location.host}/api/live`);
  socket.onopen = () => {
    const seat = state.seat;
    const terminal = seat && { table: seat.table, terminal: seat.terminal, key: seat.key };
    say({ type: "Hello", protocol: PROTOCOL, language: state.language, terminal });
  };
  socket.onmessage = (message) => {
    for (const line of message.data.split("\n")) if (line) hear(JSON.parse(line));
  };
  socket.onclose = () => {
    text("connection", "not connected; trying again…");
    const wait = RECONNECT_MS[Math.min(state.tries, RECONNECT_MS.length - 1)];
    state.tries += 1;
    setTimeout(connect, wait);
  };
}

/** @param {ClientMessage} message */
function say(message) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

function reconnect() {
  state.tries = 0;
  if (socket) {
    socket.onclose = null;
    socket.close();
  }
  connect();
}

/** @param {ServerMessage} told */
function hear(told) {
  switch (told.type) {
    case "Welcome": return welcome(told);
    case "TableSnapshot": return snapshot(told);
    case "Public": return happened(told);
    case "Totals": return totals(told);
    case "Countdown": return countdown(told);
    case "Dealer": return dealer(told);
    case "Suspended": return suspended(told);
    case "TerminalSnapshot": return showMoney(told.view.credits, told.view.staked);
    case "Private": return privately(told);
    case "Registered": return registered(told);
    case "Refused": return refused(told);
    case "Fault": return item("answers", told.sentence, ANSWERS_MAX);
    default: return undefined;
  }
}

/** @param {Told<"Welcome">} told */
function welcome(told) {
  state.tries = 0;
  state.ahead = told.at - Date.now();
  state.demo = Boolean(told.demo);
  text("house", told.house);
  text("connection", "connected");
  at("demo").hidden = !state.demo;
  at("seat").hidden = !state.demo;
  showTables(told.tables);
  watch(state.table ?? told.tables[0]);
  for (const { message } of state.waiting.values()) say(message);
}

// --- a table -------------------------------------------------------------------------------------

/** @param {readonly string[]} tables */
function showTables(tables) {
  at("tables").replaceChildren(...tables.map((table) => {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset["table"] = table;
    button.textContent = table;
    button.onclick = () => watch(table);
    const line = document.createElement("li");
    line.append(button);
    return line;
  }));
}

/** @param {string | undefined} table */
function watch(table) {
  if (!table) return;
  if (state.table && state.table !== table) {
    say({ type: "Unwatch", table: state.table });
    at("log").replaceChildren();
  }
  state.table = table;
  for (const button of at("tables").querySelectorAll("button")) {
    button.setAttribute("aria-current", String(button.dataset["table"] === table));
  }
  say({ type: "Watch", table });
}

// The house says best itself how a table stands: after something happened it is asked again.
function refresh() {
  state.refreshing ||= setTimeout(() => {
    state.refreshing = 0;
    if (state.table) say({ type: "Watch", table: state.table });
  }, 40);
}

/** @param {Told<"TableSnapshot">} told */
function snapshot(told) {
  if (told.table !== state.table) return;
  const before = state.view?.rulebook?.sha256;
  state.view = { ...told.view, totals: { ...told.view.totals } };
  state.sequence = told.sequence;
  state.closesAt = told.closes_at ?? null;
  state.suspended = Boolean(told.suspended);
  state.dealer = told.dealer ?? "person";
  show();
  if (told.view.rulebook && told.view.rulebook.sha256 !== before) showBoxes();
}

/** @param {Told<"Public">} told */
function happened(told) {
  if (told.table !== state.table || told.sequence <= state.sequence) return;
  if (told.after > state.sequence) {
    // Something was missed: what is missing comes first.
    say({ type: "Watch", table: told.table, after: state.sequence });
    return;
  }
  for (const event of told.events) item("log", describe(event), LOG_MAX);
  state.sequence = told.sequence;
  refresh();
}

/** @param {AnyPublicEvent} event */
function describe(event) {
  switch (event.type) {
    case "RoundStarted": return `round ${event.round} begins`;
    case "BetsOpened": return `called: “${event.words}”`;
    case "BetsClosed": return `called: “${event.words}”${event.bell ? ", with the bell" : ""}`;
    case "TumbleRecorded": return `the dice are tumbled, ${event.times} times`;
    case "ResultEntered": return `the result: ${event.call}`;
    case "ResultConfirmed": return `confirmed: ${event.winners.length} boxes win`;
    case "RoundSettled": return `round ${event.round} is settled on ${event.faces.join(" ")}`;
    case "RoundVoided": return `round ${event.round} is void: ${event.sentence}`;
    case "TableOpened": return "the table is opened";
    case "TableClosed": return "the table is closed";
    case "NoticeGiven": return "the table will close after this round";
    case "SecretRevealed": return `the secret of round ${event.round} is revealed`;
    default: return event.type.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  }
}

/** @param {Told<"Totals">} told */
function totals(told) {
  if (told.table !== state.table || !state.view || told.sequence <= state.sequence) return;
  state.sequence = told.sequence;
  for (const [box, amount] of Object.entries(told.boxes)) {
    if (amount) state.view.totals[box] = amount;
    else delete state.view.totals[box];
  }
  showTotals();
}

/** @param {Told<"Countdown">} told */
function countdown(told) {
  if (told.table === state.table) state.closesAt = told.closes_at ?? null;
}

/** @param {Told<"Suspended">} told */
function suspended(told) {
  if (told.table !== state.table) return;
  state.suspended = told.suspended;
  item("log", told.suspended ? "the table is suspended" : "the table goes on", LOG_MAX);
  show();
}

/** @param {Told<"Dealer">} told */
function dealer(told) {
  if (told.table !== state.table || !state.view) return;
  state.dealer = told.dealer;
  show();
}

function show() {
  const view = state.view;
  if (!view) return;
  text("table-name", `Table ${view.table}`);
  const rules = view.rulebook;
  text("rules", rules ? `${rules.title}, version ${rules.version ?? "–"}, ${rules.pay_table}` : "");
  text("phase", PHASES[state.suspended ? "suspended" : view.phase] ?? view.phase);
  text("round", String(view.round));
  text("dealer", state.dealer === "automatic" ? "automatic" : "a person");
  const limits = view.limits;
  text("limits", limits ? `${money(limits.minimum)} to ${money(limits.maximum)}` : "–");
  text("dice", view.faces ? view.faces.map((face) => DICE[face]).join(" ") : "– – –");
  const spoken = view.faces ? `dice ${view.faces.join(", ")}` : "no dice yet";
  at("dice").setAttribute("aria-label", spoken);
  text("call", view.call ?? "");
  const winners = view.winners.map(named).join(", ");
  text("winners", winners ? `Winning: ${winners}` : "");
  showTotals();
  at("rounds").replaceChildren(...[...view.rounds].reverse().map((round) => {
    const line = document.createElement("li");
    const dice = round.faces ? `${round.faces.join(" ")}, total ${sum(round.faces)}` : "no dice";
    line.textContent = `round ${round.round}: ${dice}${round.void ? ", void" : ""}`;
    return line;
  }));
}

/** @param {readonly number[]} faces */
const sum = (faces) => faces.reduce((one, two) => one + two, 0);

function showTotals() {
  const lying = Object.entries(state.view?.totals ?? {}).sort((one, two) => two[1] - one[1]);
  at("no-totals").hidden = lying.length > 0;
  at("totals").replaceChildren(...lying.map(([box, amount]) => {
    const row = document.createElement("tr");
    const name = document.createElement("th");
    name.scope = "row";
    name.textContent = named(box);
    const cell = document.createElement("td");
    cell.className = "amount";
    cell.textContent = money(amount);
    row.append(name, cell);
    return row;
  }));
}

function tick() {
  const left = state.closesAt === null ? null : Math.ceil((state.closesAt - now()) / 1000);
  text("countdown", left === null ? "–" : left > 0 ? `${left} s` : "now");
}

// --- a terminal, in a demo -----------------------------------------------------------------------

async function sit() {
  part("sit", HTMLButtonElement).disabled = true;
  try {
    /** @type {Seat} */
    const seat = await ask("/api/demo/terminals", { table: state.table });
    state.seat = seat;
    showSeat(seat);
    showMoney(seat.credits, 0);
    item("answers", `You sit at terminal ${seat.terminal}. Place a bet.`, ANSWERS_MAX);
    reconnect();
    at("box").focus();
  } catch (error) {
    item("answers", `No seat: ${error instanceof Error ? error.message : error}`, ANSWERS_MAX);
  } finally {
    part("sit", HTMLButtonElement).disabled = false;
  }
}

/** @param {Seat} seat */
function showSeat(seat) {
  at("no-seat").hidden = true;
  at("seated").hidden = false;
  text("terminal", `${seat.terminal} at table ${seat.table}`);
}

/** @param {number} credits @param {number} staked */
function showMoney(credits, staked) {
  text("credits", money(credits));
  text("staked", money(staked));
}

async function showBoxes() {
  if (!state.view?.rulebook) return;
  const table = state.view.table;
  const { pay_table: address, sha256 } = state.view.rulebook;
  /** @type {{ boxes: readonly BoxOdds[] }} */
  const odds = await ask(`/api/pay-tables/${address}/odds?sha256=${sha256}`);
  if (table !== state.table || (state.seat && state.seat.table !== table)) return;
  const boxes = part("box", HTMLSelectElement);
  const chosen = boxes.value;
  /** @type {Map<string, HTMLOptGroupElement>} */
  const groups = new Map();
  for (const box of odds.boxes) {
    const group = groups.get(box.kind) ?? document.createElement("optgroup");
    group.label = box.kind;
    groups.set(box.kind, group);
    const pays = typeof box.pays === "string" ? box.pays : Object.values(box.pays).join(" / ");
    group.append(new Option(`${named(box.box)} – pays ${pays} to 1`, box.box));
  }
  boxes.replaceChildren(...groups.values());
  if (chosen) boxes.value = chosen;
}

/** @param {SubmitEvent} event */
function bet(event) {
  event.preventDefault();
  if (!state.seat) return;
  const stake = Math.round(Number(part("stake", HTMLInputElement).value) * 100);
  const box = part("box", HTMLSelectElement).value;
  const { table, terminal } = state.seat;
  state.asked += 1;
  const id = `${Math.floor(now())}-page-${state.asked}`;
  /** @type {ClientMessage} */
  const message = {
    type: "Ask",
    to: table,
    id,
    command: { type: "PlaceBets", terminal, bets: [[box, stake]] },
  };
  // Kept until it is answered: after a lost connection it is sent again, with the same id.
  state.waiting.set(id, { message, box, stake });
  say(message);
}

/** @param {string} id */
function answered(id) {
  const asked = state.waiting.get(id);
  state.waiting.delete(id);
  return asked ? `${money(asked.stake)} on ${named(asked.box)}` : "";
}

/** @param {Told<"Registered">} told */
function registered(told) {
  const what = answered(told.id);
  if (what) item("answers", `Registered: ${what}.`, ANSWERS_MAX);
}

/** @param {Told<"Refused">} told */
function refused(told) {
  const asked = state.waiting.get(told.id);
  if (told.again && asked) {
    // The house could not take it now; the same message, with the same id, is right in a moment.
    setTimeout(() => say(asked.message), AGAIN_MS);
    return;
  }
  const what = answered(told.id);
  const clause = told.clause ? ` [${told.clause}]` : "";
  item("answers", `Refused: ${what ? `${what}: ` : ""}${told.sentence}${clause}.`, ANSWERS_MAX);
}

/** @param {Told<"Private">} told */
function privately(told) {
  showMoney(told.credits, told.staked);
  for (const event of told.events) {
    if (event.type === "RoundSettled") {
      for (const line of event.lines) {
        const outcome = line.won ? `won ${money(line.won)}` : "lost";
        item("answers", `Round ${event.round}: ${named(line.box)} ${outcome}.`, ANSWERS_MAX);
      }
    } else if (event.type === "RoundVoided") {
      item("answers", `Round ${event.round} is void: ${money(event.back)} returned.`, ANSWERS_MAX);
    }
  }
}

// --- beginning -----------------------------------------------------------------------------------

/** @param {Language} language */
async function speak(language) {
  state.language = language;
  const words = await ask(`/api/words/${language}`);
  state.names = words.boxes;
  if (state.view) {
    show();
    if (state.view.rulebook) showBoxes();
  }
}

at("sit").onclick = sit;
part("bet", HTMLFormElement).onsubmit = bet;
part("language", HTMLSelectElement).onchange = async () => {
  await speak(/** @type {Language} */ (part("language", HTMLSelectElement).value));
  reconnect();
};
setInterval(tick, 200);
await speak("en");
connect();
