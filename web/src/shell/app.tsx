import { useSignal, useSignalEffect } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect, useRef } from "preact/hooks";

import type { VenueView } from "../answers.ts";
import { useWords } from "../words/words.ts";
import { Announcer, announce } from "./announcer.tsx";
import { Boundary, Broken } from "./boundary.tsx";
import { fetchVenue, venue } from "./access/venue.ts";
import { LineBanner } from "./connection.tsx";
import { addressOf, here, startRouter, type Screen } from "./router.ts";
import { loadFounding, loadScreen } from "./screens.ts";
import { greet } from "./access/session.ts";
import { awaitTouch } from "./settings/sound.ts";
import { TopBar } from "./top_bar.tsx";
import "./shell.css";

interface Shown {
  readonly screen: Screen;
  /** The screen's component; null if it could not be loaded. */
  readonly Content: ComponentType | null;
}

/** The shell, and the screen of the address within it. */
export function App() {
  const t = useWords("shell");
  useEffect(() => {
    const ends = [startRouter(), fetchVenue(), awaitTouch()];
    // Nobody has to be logged in, and the banner reports an unreachable server.
    greet().catch(() => undefined);
    return () => ends.forEach((end) => end());
  }, []);
  useTitle();
  return (
    <div class="shell">
      <a class="skip" href="#main">
        {t("skip")}
      </a>
      <TopBar />
      <LineBanner />
      {venue.value?.founded === false ? <ToFound /> : <Main />}
      <Announcer />
    </div>
  );
}

function Main() {
  const shown = useSignal<Shown | null>(null);
  const main = useRef<HTMLElement>(null);
  const arrived = useRef(false);
  const t = useWords("shell");
  useSignalEffect(() => {
    const { screen } = here.value;
    if (screen === null || screen === shown.peek()?.screen) return;
    // The reader may have opened another screen while this one was loading.
    const show = (Content: ComponentType | null): void => {
      if (here.peek().screen !== screen) return;
      shown.value = { screen, Content };
      // The focus follows to the new screen; the first load needs no help.
      if (arrived.current) main.current?.focus();
      arrived.current = true;
    };
    loadScreen(screen).then(show, (error: unknown) => {
      show(null);
      reportError(error);
    });
  });
  const { screen } = here.value;
  return (
    <main id="main" ref={main} tabIndex={-1}>
      {screen === null ? (
        <Unknown />
      ) : shown.value === null ? (
        <p class="page page-wait">{t("loading")}</p>
      ) : shown.value.Content === null ? (
        <Broken />
      ) : (
        <Boundary of={shown.value.screen}>
          <shown.value.Content key={shown.value.screen} />
        </Boundary>
      )}
    </main>
  );
}

/** A house without staff shows its founding, whatever the address. */
function ToFound() {
  const t = useWords("shell");
  const shown = useSignal<ComponentType<{ readonly venue: VenueView }> | null>(null);
  useEffect(() => {
    loadFounding().then((Content) => {
      shown.value = Content;
    }, reportError);
  }, []);
  const known = venue.value;
  return (
    <main id="main" tabIndex={-1}>
      {shown.value === null || known === null ? (
        <p class="page page-wait">{t("loading")}</p>
      ) : (
        <Boundary of="founding">
          <shown.value venue={known} />
        </Boundary>
      )}
    </main>
  );
}

/** Shown at an address without a screen. */
function Unknown() {
  const t = useWords("shell");
  return (
    <section class="page">
      <h1>{t("unknown_title")}</h1>
      <p>{t("unknown")}</p>
      <a class="button button-main" href={addressOf("lobby")}>
        {t("to_lobby")}
      </a>
    </section>
  );
}

/** Show the screen's name in the window's title, and announce it when the screen changes. */
function useTitle(): void {
  const t = useWords("shell");
  const { screen, query } = here.value;
  const name = screen === null ? t("unknown_title") : t(`title_${screen}`);
  const title = [name, query.get("table"), venue.value?.name ?? "Tai Sai"].filter(Boolean).join(" · ");
  const before = useRef(screen);
  useEffect(() => {
    document.title = title;
  }, [title]);
  useEffect(() => {
    if (before.current !== screen) announce(name);
    before.current = screen;
  }, [screen]);
}
