/**
 * Lint rule that keeps game logic out of the screens: odds, chances, dice and winners are shown as
 * the venue sends them, and nothing is calculated from them. web/README.md lists what is forbidden.
 *
 * @typedef {import("estree").Node} Node
 */

/** Values that the venue sends and a screen only shows. */
const FACTS = new Set([
  "odds",
  "pays",
  "winners",
  "probability",
  "house_edge",
  "ways",
  "faces",
  "face",
]);
/** What each result would cost the house is an amount of money; a heat map may scale it. */
const FIGURES = new Set(["exposure"]);
/** The venue sends which boxes won; a screen may look a box up among them to light it. */
const LOOKED_UP = new Set(["winners"]);

const ARITHMETIC = new Set(["+", "-", "*", "/", "%", "**", "|", "&", "^", "<<", ">>", ">>>"]);
const COMPARISON = new Set(["<", ">", "<=", ">=", "==", "===", "!=", "!=="]);
const PARSING = new Set(["Number", "parseInt", "parseFloat", "BigInt"]);
/** Methods that sum, order, count or take apart; `map` and `join` only show. */
const WORKING_OUT = new Set([
  ...["reduce", "reduceRight", "sort", "toSorted", "filter", "find", "findIndex", "findLast"],
  ...["some", "every", "includes", "indexOf", "lastIndexOf", "split", "match", "matchAll"],
]);
const LOOKING_UP = new Set(["includes", "indexOf", "find", "some"]);
/** Methods that build a new list; winners built by one were not sent by the venue. */
const MAKING = new Set(["filter", "flatMap", "reduce"]);
const BOX =
  /^(small|big|odd|even|any-triple|(single|total|domino|double|triple|four|three)-[\d]*)$/;

/**
 * Strip what does not change which value is meant: types, a signal's `.value`, `?.`.
 * @param {Node | any} node
 * @returns {any}
 */
function bare(node) {
  switch (node?.type) {
    case "ChainExpression":
    case "TSNonNullExpression":
    case "TSAsExpression":
    case "TSSatisfiesExpression":
    case "SpreadElement":
      return bare(node.expression ?? node.argument);
    case "CallExpression":
      return named(node.callee) === "peek" ? bare(node.callee.object) : node;
    case "MemberExpression":
      return named(node) === "value" && factName(node.object) !== null ? bare(node.object) : node;
    default:
      return node;
  }
}

/**
 * The name of an identifier or of a property.
 * @param {any} node
 * @returns {string | null}
 */
function named(node) {
  if (node?.type === "Identifier") return node.name;
  if (node?.type !== "MemberExpression") return null;
  if (!node.computed) return node.property.name ?? null;
  return node.property.type === "Literal" ? String(node.property.value) : null;
}

/**
 * The fact that an expression is, or of which it is one element; null for any other expression.
 * @param {any} given
 * @returns {string | null}
 */
function factName(given) {
  const node = bare(given);
  const name = named(node);
  if (name !== null && FACTS.has(name)) {
    const owner = node.type === "MemberExpression" ? ownerName(node.object) : null;
    return owner !== null && FIGURES.has(owner) ? null : name;
  }
  // faces[0], pays["2"], odds.at(-1)
  if (node?.type === "MemberExpression" && node.computed) return factName(node.object);
  if (node?.type === "CallExpression" && ["at", "get"].includes(named(bare(node.callee)) ?? ""))
    return factName(bare(node.callee).object);
  return null;
}

/**
 * The name of the object that a property belongs to, without a signal's `.value`.
 * @param {any} given
 * @returns {string | null}
 */
function ownerName(given) {
  const node = bare(given);
  return named(node) === "value" ? ownerName(node.object) : named(node);
}

/** @param {any} node */
const isNothing = (node) =>
  (node.type === "Literal" && node.value === null) ||
  (node.type === "Identifier" && node.name === "undefined") ||
  (node.type === "UnaryExpression" && node.operator === "typeof");

/** @param {any} node */
const isText = (node) =>
  node.type === "TemplateLiteral" || (node.type === "Literal" && typeof node.value === "string");

/** Whether one face is compared with one number, to choose a die's picture. @param {any} node */
const choosesPicture = (node) =>
  ["===", "!=="].includes(node.operator) &&
  bare(node.left).type === "Identifier" &&
  bare(node.left).name === "face" &&
  node.right.type === "Literal" &&
  typeof node.right.value === "number";

/** Whether an expression tests the name of a box. @param {any} node */
function testsBox(node) {
  /** @param {any} each */
  const isBox = (each) =>
    each?.type === "Literal" &&
    (each.regex === undefined
      ? typeof each.value === "string" && BOX.test(each.value)
      : /(single|total|domino|double|triple|four|three)-/.test(each.regex.pattern));
  if (node.type === "BinaryExpression")
    return COMPARISON.has(node.operator) && (isBox(node.left) || isBox(node.right));
  if (node.type === "SwitchCase") return isBox(node.test);
  const callee = bare(node.callee);
  const tests = ["startsWith", "includes", "match", "test", "exec"].includes(named(callee) ?? "");
  return tests && [callee.object, ...node.arguments].some(isBox);
}

/** @type {import("eslint").Rule.RuleModule} */
export const noGameLogic = {
  meta: {
    type: "problem",
    docs: { description: "Show what the venue tells of the game; work nothing out from it." },
    messages: {
      arithmetic: "Nothing is reckoned with {{fact}} here: the venue tells what it comes to.",
      comparison: "Nothing is decided by {{fact}} here: the venue tells what it means.",
      parsing: "{{fact}} is shown as the venue writes it, and never made a number.",
      method: "{{fact}} is shown as the venue tells it: no {{method}}() on it.",
      made: "Winners are told by the venue, and never made by a screen.",
      decided: "A box is held against the dice here: the venue tells which boxes win.",
    },
    schema: [],
  },
  create(context) {
    /** The functions around this node, each with the dice it reads and the boxes it tests. */
    const functions = [{ dice: false, tests: /** @type {any[]} */ ([]) }];

    /** @param {any} node @param {string} messageId @param {Record<string, string>} [data] */
    const report = (node, messageId, data = {}) => context.report({ node, messageId, data });

    const enter = () => functions.push({ dice: false, tests: [] });
    const leave = () => {
      const { dice, tests } = /** @type {{dice: boolean, tests: any[]}} */ (functions.pop());
      if (dice) for (const each of tests) report(each, "decided");
    };
    /** @param {any} node */
    const noteTest = (node) => {
      if (testsBox(node)) functions.at(-1)?.tests.push(node);
    };

    return {
      ":function": enter,
      ":function:exit": leave,
      "Program:exit": leave,
      /** @param {any} node */
      Identifier(node) {
        const within = functions.at(-1);
        if (node.name === "faces" && within !== undefined) within.dice = true;
      },
      SwitchCase: noteTest,
      /** @param {any} node */
      BinaryExpression(node) {
        noteTest(node);
        const fact = factName(node.left) ?? factName(node.right);
        if (fact === null || isNothing(node.left) || isNothing(node.right)) return;
        const joins = node.operator === "+" && (isText(node.left) || isText(node.right));
        if (ARITHMETIC.has(node.operator) && !joins) report(node, "arithmetic", { fact });
        else if (COMPARISON.has(node.operator) && !choosesPicture(node))
          report(node, "comparison", { fact });
      },
      /** @param {any} node */
      UnaryExpression(node) {
        const fact = factName(node.argument);
        if (fact !== null && ["+", "-", "~"].includes(node.operator))
          report(node, node.operator === "+" ? "parsing" : "arithmetic", { fact });
      },
      /** @param {any} node */
      UpdateExpression(node) {
        const fact = factName(node.argument);
        if (fact !== null) report(node, "arithmetic", { fact });
      },
      /** @param {any} node */
      AssignmentExpression(node) {
        const fact = factName(node.left) ?? factName(node.right);
        if (fact !== null && !["=", "??=", "||=", "&&="].includes(node.operator))
          report(node, "arithmetic", { fact });
      },
      /** @param {any} node */
      VariableDeclarator(node) {
        const init = bare(node.init);
        const makes = init?.type === "CallExpression" && MAKING.has(named(bare(init.callee)) ?? "");
        if (named(node.id) === "winners" && makes) report(node, "made");
      },
      /** @param {any} node */
      CallExpression(node) {
        noteTest(node);
        const callee = bare(node.callee);
        const method = named(callee) ?? "";
        const owner = callee.type === "MemberExpression" ? named(bare(callee.object)) : null;
        const given = node.arguments.map(factName).find((/** @type {any} */ each) => each !== null);
        if (given !== undefined && PARSING.has(method)) report(node, "parsing", { fact: given });
        else if (given !== undefined && owner === "Math")
          report(node, "arithmetic", { fact: given });
        if (callee.type !== "MemberExpression" || !WORKING_OUT.has(method)) return;
        const fact = factName(callee.object);
        if (fact === null || (LOOKED_UP.has(fact) && LOOKING_UP.has(method))) return;
        report(node, "method", { fact, method });
      },
    };
  },
};

export default { rules: { "no-game-logic": noGameLogic } };
