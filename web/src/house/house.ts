/** The data of the House screen: people, tables and machines, and pending commands. */

import { useEffect, useMemo } from "preact/hooks";

import type { Awaited, HouseFloor, SessionView, StaffMember } from "../answers.ts";
import { MANAGERS, STAFFING } from "../declared.ts";
import { Problem, type Link } from "../live/index.ts";
import type { Refused, Registered, WireCommand } from "../protocol.ts";
import { declined, granted } from "../pit/attention/second_person.ts";
import { Polled } from "../pit/polled.ts";

/** How often each list is requested, and the least time between two requests. */
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

  /** Whether the person logged in may propose changes of staff. */
  get mayStaff(): boolean {
    return STAFFING.includes(this.who.role);
  }

  get mayEquip(): boolean {
    return this.who.role === "technician";
  }

  /** Whether the person logged in may give commands: an auditor only reads. */
  get mayAct(): boolean {
    return this.who.role !== "auditor";
  }

  /** Whether the person logged in may propose changes of settings; a second person approves. */
  get mayManage(): boolean {
    return MANAGERS.includes(this.who.role);
  }

  /** Pending commands, of all streams or of one. */
  waiting(to?: string): readonly Awaited[] {
    const all = this.approvals.answer.value ?? [];
    return to === undefined ? all : all.filter((each) => each.to === to);
  }

  /** Always null, since this screen follows no tables. */
  reported(): null {
    return null;
  }

  /** Send a command to a table, the cage or the venue. */
  async ask(to: string, command: WireCommand): Promise<Registered | Refused> {
    const answer = await this.link.ask(to, command);
    this.refresh();
    return answer;
  }

  /** Send a command that needs a second person; a refusal is thrown, for a form to show. */
  async propose(to: string, command: WireCommand): Promise<void> {
    const answer = await this.ask(to, command);
    if (answer.type === "Refused") throw new Problem(409, answer.code, answer.sentence);
  }

  /** Grant a pending command; returns the sentence of a refusal, or null. */
  readonly grant = (awaited: Awaited, pin: string): Promise<string | null> =>
    granted(this.link, awaited, pin).finally(() => this.refresh());

  /** Decline a pending command; returns the sentence of a refusal, or null. */
  readonly decline = (awaited: Awaited, note: string): Promise<string | null> =>
    declined(awaited, note).finally(() => this.refresh());

  refresh(): void {
    for (const each of [this.staff, this.floor, this.approvals]) each.refresh();
  }

  /** Begin to follow the house; returns a function that stops. */
  follow(): () => void {
    this.link.listen("venue");
    const ends = [
      this.staff.follow(),
      this.floor.follow(),
      this.approvals.follow(),
      // Events of the venue refresh at once; pending commands of tables are found by polling.
      this.link.onStaff(() => this.refresh()),
    ];
    return () => {
      for (const end of ends) end();
    };
  }
}

/** The house, followed as long as it is shown. */
export function useHouse(link: Link, who: SessionView): House {
  const house = useMemo(() => new House(link, who), [link, who]);
  useEffect(() => house.follow(), [house]);
  return house;
}
