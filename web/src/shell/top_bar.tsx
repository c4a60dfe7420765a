import type { ComponentChildren } from "preact";

import { Problem } from "../live/index.ts";
import { LANGUAGES, language, useWords, type Language } from "../words/words.ts";
import { Button } from "./controls/button.tsx";
import { venue } from "./access/venue.ts";
import { Bell, BellOff, Mark, Moon, Sun, Voice, VoiceOff } from "./controls/icons.tsx";
import { NoticeNow, NoticeTool, notify } from "./notices.tsx";
import { theme } from "./settings/theme.ts";
import { addressOf, here, type Screen } from "./router.ts";
import { endSession, session } from "./access/session.ts";
import { sound } from "./settings/sound.ts";
import { canSpeak, speech } from "./settings/speech.ts";

/** Screens that can speak the calls of the dice. */
const WITH_CALLS: ReadonlySet<Screen> = new Set(["play", "console", "display"]);

/** The bar over every screen: the venue's name, and settings of language, theme and sound. */
export function TopBar() {
  const t = useWords("shell");
  const { screen } = here.value;
  return (
    <header class={screen === "display" ? "top top-away" : "top"}>
      <a class="top-venue" href={addressOf("lobby")} aria-label={venue.value?.name ?? "Tai Sai"}>
        <Mark class="top-mark" />
        <span class="top-name">{venue.value?.name ?? "Tai Sai"}</span>
      </a>
      {screen !== null && screen !== "lobby" && <span class="top-screen">{t(`title_${screen}`)}</span>}
      {venue.value?.demo === true && <span class="top-demo">{t("demo")}</span>}
      <NoticeNow />
      <Who />
      <div class="top-tools" role="group" aria-label={t("menu")}>
        <NoticeTool />
        <LanguageChoice />
        <ThemeSwitch />
        <SoundSwitch />
        {canSpeak && screen !== null && WITH_CALLS.has(screen) && <SpeechSwitch />}
      </div>
    </header>
  );
}

/** The choice of language, each by its own name. */
export function LanguageChoice() {
  const t = useWords("shell");
  return (
    <select
      class="top-language"
      aria-label={t("language")}
      value={language.value}
      onChange={({ currentTarget }) => {
        language.value = currentTarget.value as Language;
      }}
    >
      {Object.entries(LANGUAGES).map(([code, name]) => (
        <option key={code} value={code} lang={code}>
          {name}
        </option>
      ))}
    </select>
  );
}

interface SwitchProps {
  readonly label: string;
  readonly on: boolean;
  readonly onPress: () => void;
  readonly children: ComponentChildren;
}

/** A switch shown as one icon; its name says what it switches, its state whether it is on. */
function Switch({ label, on, onPress, children }: SwitchProps) {
  return (
    <Button kind="quiet" class="top-tool" title={label} aria-label={label} aria-pressed={on} onClick={onPress}>
      {children}
    </Button>
  );
}

export function ThemeSwitch() {
  const t = useWords("shell");
  const bright = theme.value === "bright";
  return (
    <Switch
      label={t("theme_bright")}
      on={bright}
      onPress={() => {
        theme.value = bright ? "dark" : "bright";
      }}
    >
      {bright ? <Sun /> : <Moon />}
    </Switch>
  );
}

export function SoundSwitch() {
  const t = useWords("shell");
  const on = sound.value === "on";
  return (
    <Switch
      label={t("sound")}
      on={on}
      onPress={() => {
        sound.value = on ? "off" : "on";
      }}
    >
      {on ? <Bell /> : <BellOff />}
    </Switch>
  );
}

export function SpeechSwitch() {
  const t = useWords("shell");
  const on = speech.value === "on";
  return (
    <Switch
      label={t("speech")}
      on={on}
      onPress={() => {
        speech.value = on ? "off" : "on";
      }}
    >
      {on ? <Voice /> : <VoiceOff />}
    </Switch>
  );
}

function Who() {
  const t = useWords("shell");
  const who = session.value;
  if (who === null || who === "asking") return null;
  const leave = (): void => {
    endSession().catch((error: unknown) => {
      if (error instanceof Problem) notify(error.message, "refused");
      else reportError(error);
    });
  };
  return (
    <div class="top-who">
      <span>{t("logged_in_as", { person: who.person, role: t(`role_${who.role}`) })}</span>
      <Button kind="quiet" onClick={leave}>
        {t("log_out")}
      </Button>
    </div>
  );
}
