/** Calls of results, translated again when the language changes. */

import { signal } from "@preact/signals";

import type { ResultList } from "../../answers.ts";
import { get } from "../../live/index.ts";
import type { Faces } from "../../protocol.ts";
import { noted } from "../../words/said.ts";
import { language, type Language } from "../../words/words.ts";

/** All calls, in the language last requested. */
const calls = signal<ReadonlyMap<string, string>>(new Map());
let read: Language | null = null;

const nameOf = (faces: Faces): string => [...faces].sort().join("");

/** Request the calls of a language once; until they are received, a call stays as it was. */
function readIn(tongue: Language): void {
  if (read === tongue) return;
  read = tongue;
  get<ResultList>("/api/results", { language: tongue }).then(
    ({ results }) => {
      if (read === tongue) calls.value = new Map(results.map(({ faces, call }) => [nameOf(faces), call]));
    },
    (error: unknown) => {
      if (read === tongue) read = null;
      console.warn(error);
    },
  );
}

/** Note a call with its dice, so that it can be shown in any language. */
export function notedCall(call: string, faces: Faces): string {
  return noted(call, () => {
    readIn(language.value);
    return calls.value.get(nameOf(faces)) ?? call;
  });
}
