/** The attestation of the journal: the newest checkpoint, the anchor, and witnesses' signatures. */

import { useSignal } from "@preact/signals";

import type { Standing, WitnessStanding } from "../answers.ts";
import { get, post } from "../live/index.ts";
import { Fault, useSending } from "../shell/index.ts";
import { capital } from "../words/capital.ts";
import { said } from "../words/said.ts";
import { duration, moment, number, useWords } from "../words/words.ts";
import { useFollowed } from "./loading.ts";

/** How often it is requested again: a checkpoint is signed every minute. */
const LOOK_MS = 15_000;
/** A co-signature is a few hundred bytes. */
const FILE_BYTES_MAX = 10_000;

export function Attested() {
  const t = useWords("audit");
  const { value: standing, fault, again } = useFollowed(
    (signal) => get<Standing>("/api/audit/standing", { language: true }, { signal }),
    LOOK_MS,
  );
  return (
    <section class="proof" aria-labelledby="attested">
      <h2 id="attested">{t("attested")}</h2>
      <p class="audit-hint">{t("attested_lead")}</p>
      {fault !== null && (
        <p class="audit-fault" role="alert">
          ✕ {capital(said(fault))}
        </p>
      )}
      {standing !== null && <Shown standing={standing} />}
      <Cosignature onTaken={again} />
    </section>
  );
}

function Shown({ standing }: { readonly standing: Standing }) {
  const t = useWords("audit");
  const { at, checkpoint, anchor, witnesses } = standing;
  const old = (when: number): string => t("age", { time: moment(when), age: duration(at - when) });
  return (
    <dl class="attested">
      <dt>{t("attested_checkpoint")}</dt>
      <dd>
        {checkpoint === null ? (
          t("checkpoint_none")
        ) : (
          <>
            <p>{t("checkpoint_is", { number: number(checkpoint.number), when: old(checkpoint.at) })}</p>
            <p class="audit-hint">{t("checkpoint_waiting", { count: number(standing.waiting) })}</p>
          </>
        )}
      </dd>
      <dt>{t("attested_anchor")}</dt>
      <dd>
        {anchor === null ? (
          <p>
            {standing.anchor_fault === null ? t("anchor_none") : <Fails>{standing.anchor_fault}</Fails>}
          </p>
        ) : (
          <>
            <p>{t("anchor_is", { number: number(anchor.number), when: old(anchor.at) })}</p>
            <p>{anchor.fault === null ? <Holds>{t("anchor_holds")}</Holds> : <Fails>{anchor.fault}</Fails>}</p>
          </>
        )}
      </dd>
      <dt>{t("attested_witnesses")}</dt>
      <dd>
        {witnesses.length === 0 && <p>{t("witness_none")}</p>}
        {witnesses.map((each) => (
          <Witness key={each.public} witness={each} old={old} />
        ))}
      </dd>
    </dl>
  );
}

interface WitnessProps {
  readonly witness: WitnessStanding;
  readonly old: (when: number) => string;
}

function Witness({ witness, old }: WitnessProps) {
  const t = useWords("audit");
  const { number: signed, at, behind, fault } = witness;
  return (
    <div class="attested-witness">
      <p>{t("witness_is", { number: number(signed), when: old(at) })}</p>
      <p>
        {fault === null ? (
          <Holds>{behind === 0 ? t("witness_newest") : t("witness_behind", { count: number(behind) })}</Holds>
        ) : (
          <Fails>{fault}</Fails>
        )}
      </p>
      <code class="story-hash">{witness.public}</code>
    </div>
  );
}

function Holds({ children }: { readonly children: string }) {
  return (
    <span class="proof-holds">
      <span aria-hidden="true">✓</span> {children}
    </span>
  );
}

function Fails({ children }: { readonly children: string }) {
  return (
    <span class="proof-fails">
      <span aria-hidden="true">✕</span> {children}
    </span>
  );
}

/** The form to upload the file of a witness. */
function Cosignature({ onTaken }: { readonly onTaken: () => void }) {
  const t = useWords("audit");
  const { fault, busy, send } = useSending();
  const unreadable = useSignal(false);
  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    const text = file.size > FILE_BYTES_MAX ? "" : await file.text();
    let read: unknown = null;
    try {
      read = JSON.parse(text);
    } catch {
      unreadable.value = true;
      return;
    }
    unreadable.value = false;
    send(async () => {
      await post("/api/audit/cosignatures", read);
      onTaken();
    });
  };
  return (
    <div class="attested-take">
      <label class="field">
        <span class="field-label">{t("witness_take")}</span>
        <input
          class="field-input"
          type="file"
          accept=".json,application/json"
          disabled={busy}
          onChange={({ currentTarget }) => void take(currentTarget.files?.[0])}
        />
      </label>
      <Fault>{unreadable.value ? t("witness_unreadable") : fault}</Fault>
    </div>
  );
}
