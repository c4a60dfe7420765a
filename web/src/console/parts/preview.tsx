/** Previews the effects of a command that moves money, before it is sent and before approval. */

import { useSignal, type ReadonlySignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

import type { AccountPreview, CommandPreview, NettedPreview, PreviewAsked } from "../../answers.ts";
import { addressOf, get, post, Problem } from "../../live/index.ts";
import { said } from "../../words/said.ts";
import { cited, language, money, number, useWords, type Words } from "../../words/words.ts";
import { unclaimedParts } from "../money/unclaimed.ts";
import { capital } from "../../words/capital.ts";
import "./preview.css";
import "./sentence.css";

/** The delay after a key before the server is asked. */
const AFTER_MS = 250;

/** The answer to a preview. */
export interface Previewed {
  readonly preview: CommandPreview | null;
  /** Why the command would be refused, or why there is no preview. */
  readonly fault: string | null;
}

const NOTHING: Previewed = { preview: null, fault: null };

function pathOf(table: string, pending = ""): string {
  return `/api/tables/${encodeURIComponent(table)}/preview${pending && `/${pending}`}`;
}

/** Ask for the preview of a command whenever it changes; null asks for nothing. */
export function usePreview(table: string, command: PreviewAsked["command"] | null): ReadonlySignal<Previewed> {
  const tongue = language.value;
  const asked = command === null ? null : JSON.stringify({ command });
  return useAsked(asked === null ? null : [table, asked, tongue].join(" "), AFTER_MS, (signal) =>
    post<CommandPreview>(addressOf(pathOf(table), { language: tongue }), { command }, { signal }),
  );
}

/** Ask for the preview of a pending command. */
export function usePendingPreview(table: string, pending: string): ReadonlySignal<Previewed> {
  const tongue = language.value;
  return useAsked([table, pending, tongue].join(" "), 0, (signal) =>
    get<CommandPreview>(pathOf(table, pending), { language: tongue }, { signal }),
  );
}

function useAsked(
  key: string | null,
  after: number,
  ask: (signal: AbortSignal) => Promise<CommandPreview>,
): ReadonlySignal<Previewed> {
  const answer = useSignal<Previewed>(NOTHING);
  useEffect(() => {
    if (key === null) {
      answer.value = NOTHING;
      return;
    }
    const ended = new AbortController();
    const waiting = setTimeout(() => {
      ask(ended.signal).then(
        (preview) => {
          answer.value = { preview, fault: null };
        },
        (error: unknown) => {
          if (ended.signal.aborted) return;
          if (error instanceof Problem) answer.value = { preview: null, fault: error.message };
          else reportError(error);
        },
      );
    }, after);
    return () => {
      clearTimeout(waiting);
      ended.abort();
    };
  }, [key]);
  return answer;
}

/** Shows a preview: the effects, why it would be refused, or that it is still being computed. */
export function PreviewAnswer({ answer, chips }: { readonly answer: Previewed; readonly chips: boolean }) {
  const t = useWords("console");
  if (answer.fault !== null) return <p class="console-refused">{capital(said(answer.fault))}</p>;
  if (answer.preview === null) return <p class="console-hint">{t("preview_asking")}</p>;
  return <PreviewShown preview={answer.preview} chips={chips} />;
}

interface ShownProps {
  readonly preview: CommandPreview;
  /** Whether the table's money is chips. */
  readonly chips: boolean;
}

export function PreviewShown({ preview, chips }: ShownProps) {
  const t = useWords("console");
  const moves = preview.accounts.length > 0;
  return (
    <section class="preview" aria-label={t("will_happen")}>
      <h3>{t("will_happen")}</h3>
      <ol>
        {preview.will.map((each, place) => (
          <li key={place}>
            {capital(each.sentence)}
            {" "}
            {each.clause != null && <span class="console-clause">{cited(t, each.clause)}</span>}
          </li>
        ))}
      </ol>
      {preview.more_will > 0 && <p class="console-hint">{t("preview_more", { count: number(preview.more_will) })}</p>}
      {preview.netted.length > 0 && <NettedTable lines={preview.netted} more={preview.more_netted} />}
      {preview.shortfall > 0 && (
        <p class="preview-short">
          <span aria-hidden="true">▲</span> {t("preview_short_all", { amount: money(preview.shortfall) })}
        </p>
      )}
      {moves ? (
        <AccountTable lines={preview.accounts} more={preview.more_accounts} chips={chips} />
      ) : (
        <p class="console-hint">{t("preview_none")}</p>
      )}
    </section>
  );
}

function NettedTable({ lines, more }: { readonly lines: readonly NettedPreview[]; readonly more: number }) {
  const t = useWords("console");
  const covered = lines.some((each) => each.covered > 0);
  return (
    <div class="preview-scroll">
      <table>
        <caption>{t("preview_netted")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("preview_who")}</th>
            <th scope="col">{t("preview_given")}</th>
            <th scope="col">{t("preview_taken")}</th>
            <th scope="col">{t("preview_short")}</th>
            {covered && <th scope="col">{t("preview_covered")}</th>}
          </tr>
        </thead>
        <tbody>
          {lines.map((each) => (
            <tr key={`${String(each.ended)} ${each.of}`}>
              <th scope="row">{each.ended ? t("preview_ended", { of: sessionName(t, each.of) }) : each.of}</th>
              <td>{amount(each.given)}</td>
              <td>{amount(each.taken)}</td>
              <td>{amount(each.shortfall)}</td>
              {covered && <td>{amount(each.covered)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 && <p class="console-hint">{t("preview_more", { count: number(more) })}</p>}
    </div>
  );
}

function amount(cents: number): string {
  return cents === 0 ? "–" : money(cents);
}

/** A change, with its sign. */
function change(cents: number): string {
  return cents < 0 ? signed(cents) : `+${money(cents)}`;
}

/** An amount that may be negative, with the same minus sign as a change. */
function signed(cents: number): string {
  return cents < 0 ? `−${money(-cents)}` : money(cents);
}

/** A session in words: its position, and its number there. */
function sessionName(t: Words<"console">, name: string): string {
  const parts = unclaimedParts(name);
  return parts === null ? name : t("preview_session", { position: parts.seat, number: parts.number });
}

interface AccountsProps {
  readonly lines: readonly AccountPreview[];
  readonly more: number;
  readonly chips: boolean;
}

function AccountTable({ lines, more, chips }: AccountsProps) {
  const t = useWords("console");
  return (
    <div class="preview-scroll">
      <table>
        <caption>{t("preview_accounts")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("preview_account")}</th>
            <th scope="col">{t("preview_before")}</th>
            <th scope="col">{t("preview_change")}</th>
            <th scope="col">{t("preview_after")}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((each) => (
            <tr key={`${each.account} ${each.of ?? ""}`}>
              <th scope="row">{accountName(t, each, chips)}</th>
              <td>{each.before === null ? t("preview_blind") : signed(each.before)}</td>
              <td>{change(each.change)}</td>
              <td>{each.after === null ? t("preview_blind") : signed(each.after)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 && <p class="console-hint">{t("preview_more", { count: number(more) })}</p>}
    </div>
  );
}

/** The name of an account. */
export function accountName(t: Words<"console">, { account, of }: Pick<AccountPreview, "account" | "of">, chips: boolean): string {
  const whose = { of: of ?? "" };
  switch (account) {
    case "credits":
      return t(chips ? "preview_chips" : "preview_credits", whose);
    case "stakes":
      return t(chips ? "preview_chip_stakes" : "preview_stakes", whose);
    case "unclaimed":
      return t("preview_unclaimed", { of: sessionName(t, whose.of) });
    case "house":
      return t(chips ? "preview_rack" : "preview_house");
    case "shortfall":
      return t("preview_shortfall");
    case "floor":
      return t("preview_floor");
  }
}
