import tseslint from "typescript-eslint";

import game from "./lint/no_game_logic.js";

export default tseslint.config(
  { ignores: ["node_modules"] },
  tseslint.configs.strict,
  {
    files: ["src/**/*.{ts,tsx}", "vite.config.ts"],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    plugins: { taisai: game },
    rules: {
      "taisai/no-game-logic": "error",
      // A promise nobody waits for is an error nobody sees; what acts in a test has been done.
      "@typescript-eslint/no-floating-promises": ["error", { allowForKnownSafeCalls: ["act"] }],
      "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: false }],
      "@typescript-eslint/await-thenable": "error",
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true },
      ],
      "@typescript-eslint/consistent-type-imports": "error",
      eqeqeq: ["error", "always", { null: "ignore" }],
      "no-restricted-syntax": [
        "error",
        {
          selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']",
          message: "Text is text here: no markup is made of it.",
        },
        {
          selector: "JSXAttribute[name.name='style'] > Literal",
          message: "The venue's policy forbids style strings: use a class, or an object.",
        },
        {
          selector: "AssignmentExpression[left.property.name=/^(inner|outer)HTML$/]",
          message: "Text is text here: no markup is made of it.",
        },
      ],
    },
  },
  // A test may reckon what it expects by itself.
  { files: ["src/**/*.test.{ts,tsx}"], rules: { "taisai/no-game-logic": "off" } },
  // What is generated, and examples of it, are as the generator writes them.
  { ignores: ["src/protocol.ts", "src/answers.ts", "src/declared.ts", "src/protocol.examples.ts"] },
);
