import { Button, Choice } from "../../shell/index.ts";
import { number, useWords } from "../../words/words.ts";
import { SPEEDS, type Player } from "./replay.tsx";

/** The controls to step through, play and scrub a round. */
export function Transport({ player }: { readonly player: Player }) {
  const t = useWords("audit");
  const { steps, at, isPlaying, speed, to, turn } = player;
  const last = steps.length - 1;
  const where = t("step_of", { step: number(at.value + 1), steps: number(steps.length) });
  return (
    <div class="transport" role="group" aria-label={t("transport")}>
      <div class="transport-buttons">
        <Button aria-label={t("to_begin")} title={t("to_begin")} onClick={() => to(0)}>
          <span aria-hidden="true">|◀</span>
        </Button>
        <Button aria-label={t("step_back")} title={t("step_back")} onClick={() => to(at.peek() - 1)}>
          <span aria-hidden="true">◀</span>
        </Button>
        <Button kind="main" class="transport-play" onClick={turn}>
          {isPlaying.value ? t("pause") : t("play")}
        </Button>
        <Button aria-label={t("step_on")} title={t("step_on")} onClick={() => to(at.peek() + 1)}>
          <span aria-hidden="true">▶</span>
        </Button>
        <Button aria-label={t("to_end")} title={t("to_end")} onClick={() => to(last)}>
          <span aria-hidden="true">▶|</span>
        </Button>
      </div>
      <input
        class="transport-scrub"
        type="range"
        min={0}
        max={last}
        value={at.value}
        aria-label={t("scrub")}
        aria-valuetext={`${where}: ${steps[at.value]?.event.summary ?? ""}`}
        onInput={({ currentTarget }) => to(Number(currentTarget.value))}
      />
      <span class="transport-where">{where}</span>
      <Choice
        label={t("speed")}
        value={speed.value}
        onChange={({ currentTarget }) => {
          speed.value = Number(currentTarget.value);
        }}
      >
        {SPEEDS.map((each) => (
          <option key={each} value={each}>
            {t.count("steps_a_second", each)}
          </option>
        ))}
      </Choice>
      <p class="transport-keys">{t("keys")}</p>
    </div>
  );
}
