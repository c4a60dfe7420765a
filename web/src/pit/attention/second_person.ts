/** Grants or declines a pending command; each returns the sentence of a refusal, or null. */

import type { Awaited } from "../../answers.ts";
import { newId, post, Problem, type Link } from "../../live/index.ts";

export async function granted(link: Link, awaited: Awaited, pin: string): Promise<string | null> {
  const answer = await link.grant(awaited.to, awaited.pending, awaited.version, pin);
  return answer.type === "Refused" ? answer.sentence : null;
}

export async function declined({ to, pending }: Awaited, note: string): Promise<string | null> {
  try {
    await post("/api/approvals/decline", { to, id: newId(), pending, note });
    return null;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.message;
  }
}
