/** The verification of the journal: start it, follow it, and read its result. */

import type { Outcome, Verification } from "../answers.ts";
import { Button, Money } from "../shell/index.ts";
import { capital } from "../words/capital.ts";
import { said } from "../words/said.ts";
import { duration, moment, number, percent, useWords } from "../words/words.ts";
import { Attested } from "./standing.tsx";
import { streamName } from "./stream.ts";
import { useVerifying } from "./verification.ts";

export function Journal() {
  const t = useWords("audit");
  const { current, rate, fault, begin, stop } = useVerifying();
  const verification = current.value;
  const isRunning = verification?.state === "running";
  return (
    <section class="audit-section">
      <h1>{t("journal_title")}</h1>
      <p class="audit-lead">{t("journal_lead")}</p>
      <div class="audit-pages">
        <Button kind="main" busy={isRunning} onClick={begin}>
          {isRunning ? t("verifying") : t("verify")}
        </Button>
        {isRunning && <Button onClick={stop}>{t("stop")}</Button>}
      </div>
      {fault.value !== null && (
        <p class="audit-fault" role="alert">
          ✕ {capital(said(fault.value))}
        </p>
      )}
      {verification === undefined && fault.value === null && <p class="audit-wait">{t("loading")}</p>}
      {verification === null && <p class="audit-wait">{t("never_verified")}</p>}
      {verification != null && <Current verification={verification} rate={rate.value} />}
      <Attested />
    </section>
  );
}

interface CurrentProps {
  readonly verification: Verification;
  readonly rate: number | null;
}

function Current({ verification, rate }: CurrentProps) {
  const t = useWords("audit");
  return (
    <article class="proof" aria-labelledby="proof-title">
      <h2 id="proof-title">{t("verification", { number: number(verification.number) })}</h2>
      <p class="audit-hint">{t("requested_by", { person: verification.by, time: moment(verification.began_at) })}</p>
      {verification.state === "running" && <Progress verification={verification} rate={rate} />}
      {verification.state === "stopped" && (
        <p class="proof-came proof-fails" role="status">
          <span aria-hidden="true">■</span> {t("stopped_by", { person: verification.stopped_by ?? "" })}
        </p>
      )}
      {verification.state === "failed" && (
        <p class="audit-fault" role="alert">
          ✕ {t("given_up", { why: verification.failure ?? "" })}
        </p>
      )}
      {verification.outcome !== null && <Came outcome={verification.outcome} />}
    </article>
  );
}

function Progress({ verification, rate }: CurrentProps) {
  const t = useWords("audit");
  const { seen, total } = verification;
  const isKnown = total > 0;
  return (
    <div class="proof-progress">
      {isKnown ? (
        <progress aria-label={t("progress")} value={seen} max={total} />
      ) : (
        <progress aria-label={t("progress")} />
      )}
      <p>
        {isKnown
          ? t("seen_of", { seen: number(seen), total: number(total), share: percent(seen / total, 0) })
          : t("counting")}
        {rate !== null && ` · ${t("rate", { rate: number(Math.round(rate)) })}`}
        {rate !== null && rate > 0 && ` · ${t("left", { time: duration(((total - seen) / rate) * 1000) })}`}
      </p>
    </div>
  );
}

const COUNTED = ["streams", "events", "decisions", "rounds", "checkpoints", "snapshots"] as const;
const SUMS = ["turnover", "won", "bank", "credits", "stakes", "vouchers", "in_transit"] as const;

function Came({ outcome }: { readonly outcome: Outcome }) {
  const t = useWords("audit");
  const { newest_checkpoint: newest, money } = outcome;
  return (
    <>
      <p class={outcome.verified ? "proof-came proof-holds" : "proof-came proof-fails"} role="status">
        <span aria-hidden="true">{outcome.verified ? "✓" : "✕"}</span>{" "}
        {outcome.verified ? t("verified") : t.count("faults", outcome.faults_found)}
      </p>
      <Faults outcome={outcome} />
      {outcome.notes.length > 0 && (
        <>
          <h3>{t("notes")}</h3>
          <ul class="proof-notes">
            {outcome.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </>
      )}
      <div class="proof-figures">
        <dl>
          {COUNTED.map((name) => (
            <div key={name}>
              <dt>{t(`counted_${name}`)}</dt>
              <dd>{number(outcome[name])}</dd>
            </div>
          ))}
          <div>
            <dt>{t("took")}</dt>
            <dd>{t("seconds", { seconds: number(Math.round(outcome.seconds * 10) / 10) })}</dd>
          </div>
        </dl>
        <dl>
          {SUMS.map((name) => (
            <div key={name}>
              <dt>{t(`sum_${name}`)}</dt>
              <dd>
                <Money cents={money[name]} />
              </dd>
            </div>
          ))}
        </dl>
      </div>
      {newest !== null && (
        <p class="audit-hint">
          {t("newest_checkpoint", { number: number(newest.number), time: moment(newest.at) })}
          <code class="story-hash">{newest.key}</code>
        </p>
      )}
    </>
  );
}

function Faults({ outcome }: { readonly outcome: Outcome }) {
  const t = useWords("audit");
  const { faults, faults_found } = outcome;
  if (faults.length === 0) return null;
  return (
    <>
      <ol class="proof-faults">
        {faults.map((fault, place) => (
          <li key={place}>
            <p>{t(`fault_in_${fault.in}`)}</p>
            <p class="audit-hint">{fault.sentence}</p>
            <p class="audit-hint">
              {[
                fault.stream === null ? null : streamName(t, fault.stream),
                fault.version === null ? null : t("record", { version: number(fault.version) }),
                fault.checkpoint === null ? null : t("checkpoint", { number: number(fault.checkpoint) }),
              ]
                .filter((part) => part !== null)
                .join(" · ")}
            </p>
          </li>
        ))}
      </ol>
      {faults_found > faults.length && (
        <p class="audit-hint">{t.count("faults_more", faults_found - faults.length)}</p>
      )}
    </>
  );
}
