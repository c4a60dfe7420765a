/** The house as its staff see it: people, tables and machines, and what waits for a second person. */

import { useEffect, useMemo } from "preact/hooks";

import type { Awaited, HouseFloor, SessionView, StaffMember } from "../answers.ts";
import { newId, post, Problem, type Link } from "../live/index.ts";
import { Polled } from "../pit/polled.ts";

/** How often each is asked for; an answer that somebody waits for comes sooner. */
const EVERY_MS = 2_000;
const LEAST_MS = 200;

export class House {
  readonly link: Link;
  readonly who: SessionView;
  readonly staff = new Polled<readonly StaffMember[]>("/api/staff", EVERY_MS, LEAST_MS);
  readonly floor = new Polled<HouseFloor>("/api/floor", EVERY_MS, LEAST_MS);
  readonly approvals = new Polled<readonly Awaited[]>("/api/approvals", EVERY_MS, LEAST_MS);

  constructor(link: Link, who: SessionView) {
    this.link = link;
    this.who = who;
  }

  /** The server's time. */
  readonly now = (): number => this.link.now();

  /** Whether whoever looks asks for people, and for machines and tables. */
  get mayStaff(): boolean {
    return this.who.role === "shift-manager" || this.who.role === "technician";
  }

  get mayEquip(): boolean {
    return this.who.role === "technician";
  }

  /** What waits for a second person, of all or of one. */
  waiting(to?: string): readonly Awaited[] {
    const all = this.approvals.answer.value ?? [];
    return to === undefined ? all : all.filter((each) => each.to === to);
  }

  /** No table is followed here. */
  reported(): null {
    return null;
  }

  /** Grant what waits; gives the sentence of a refusal, or null. */
  readonly grant = async (awaited: Awaited, pin: string): Promise<string | null> => {
    const answer = await this.link.grant(awaited.to, awaited.pending, awaited.version, pin);
    this.refresh();
    return answer.type === "Refused" ? answer.sentence : null;
  };

  /** Decline what waits; gives the sentence of a refusal, or null. */
  readonly decline = async ({ to, pending }: Awaited, note: string): Promise<string | null> => {
    try {
      await post("/api/approvals/decline", { to, id: newId(), pending, note });
      return null;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return error.message;
    } finally {
      this.refresh();
    }
  };

  refresh(): void {
    for (const each of [this.staff, this.floor, this.approvals]) each.refresh();
  }

  /** Begin to follow the house; gives what ends it. */
  follow(): () => void {
    const ends = [this.staff.follow(), this.floor.follow(), this.approvals.follow()];
    return () => {
      for (const end of ends) end();
    };
  }
}

/** The house, for as long as it is shown. */
export function useHouse(link: Link, who: SessionView): House {
  const house = useMemo(() => new House(link, who), [link, who]);
  useEffect(() => house.follow(), [house]);
  return house;
}
