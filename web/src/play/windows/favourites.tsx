/** Favourite bets: save under a name, put on the layout, rename, delete. */

import { useSignal } from "@preact/signals";

import { Button, Dialog, Field, Money } from "../../shell/index.ts";
import { lasting, said } from "../../words/said.ts";
import { useWords } from "../../words/words.ts";
import { sum, type Stakes } from "../slip/draft.ts";
import {
  FAVOURITES_MAX,
  NAME_MAX,
  deleted,
  storeFavourites,
  readFavourites,
  renamed,
  saved,
  type Favourite,
} from "../slip/favourites.ts";
import "./favourites.css";
import type { Game } from "../game.ts";
import type { WindowProps } from "./windows.tsx";

/** The bets to save, and whose they are: the draft, or the registered bets, or those of the last round. */
function toSave(game: Game): { readonly bets: Stakes; readonly hint: "favourite_of" | "favourite_last" } {
  const view = game.terminal.view.value;
  const now = game.slip.stakes.value.size > 0 ? game.slip.stakes.value : new Map(Object.entries(view?.bets ?? {}));
  if (now.size > 0) return { bets: now, hint: "favourite_of" };
  return { bets: new Map(view?.last?.lines.map(({ box, stake }) => [box, stake])), hint: "favourite_last" };
}

export function Favourites({ game, onClose }: WindowProps) {
  const t = useWords("play");
  const payTable = game.table.view.value?.rulebook?.pay_table ?? "";
  const favourites = useSignal(readFavourites(payTable));
  const fault = useSignal<string | null>(null);
  const { bets, hint } = toSave(game);
  const store = (next: readonly Favourite[] | null, refused: string): boolean => {
    fault.value = next === null ? refused : null;
    if (next === null) return false;
    if (!storeFavourites(payTable, next)) fault.value = lasting(() => t("favourites_not_kept"));
    favourites.value = next;
    return true;
  };
  const save = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const name = String(new FormData(event.currentTarget).get("name") ?? "");
    const why = name.trim() === "" ? t("name_missing") : t("favourites_full", { most: FAVOURITES_MAX });
    if (store(saved(favourites.value, name, bets), why)) event.currentTarget.reset();
  };
  return (
    <Dialog title={t("favourites")} onClose={onClose}>
      {favourites.value.length === 0 && <p>{t("favourites_none")}</p>}
      <ul class="favourites">
        {favourites.value.map((each) => (
          <Kept
            key={each.name}
            favourite={each}
            onPut={() => {
              game.slip.addAll(new Map(each.bets));
              onClose();
            }}
            onRename={(name) => store(renamed(favourites.value, each.name, name), t("name_taken"))}
            onDelete={() => store(deleted(favourites.value, each.name), "")}
          />
        ))}
      </ul>
      {bets.size > 0 && (
        <form class="favourites-save" onSubmit={save} autocomplete="off">
          <Field
            label={t("favourite_name")}
            hint={t.count(hint, bets.size)}
            fault={fault.value}
            name="name"
            maxLength={NAME_MAX}
          />
          <Button kind="main" type="submit">
            {t("favourite_save")} <Money cents={sum(bets)} />
          </Button>
        </form>
      )}
      {bets.size === 0 && fault.value !== null && <p role="alert">{said(fault.value)}</p>}
    </Dialog>
  );
}

interface KeptProps {
  readonly favourite: Favourite;
  readonly onPut: () => void;
  readonly onRename: (name: string) => boolean;
  readonly onDelete: () => void;
}

function Kept({ favourite, onPut, onRename, onDelete }: KeptProps) {
  const t = useWords("play");
  const isRenaming = useSignal(false);
  const { name, bets } = favourite;
  if (isRenaming.value) {
    return (
      <li class="favourites-kept">
        <form
          class="favourites-rename"
          onSubmit={(event) => {
            event.preventDefault();
            const given = String(new FormData(event.currentTarget).get("name") ?? "");
            if (onRename(given)) isRenaming.value = false;
          }}
        >
          <Field label={t("favourite_name")} name="name" defaultValue={name} maxLength={NAME_MAX} autoFocus />
          <Button type="submit">{t("rename")}</Button>
        </form>
      </li>
    );
  }
  return (
    <li class="favourites-kept">
      <Button class="favourites-put" onClick={onPut}>
        <span>{name}</span>
        <Money cents={sum(new Map(bets))} />
      </Button>
      <Button kind="quiet" aria-label={t("rename_it", { name })} onClick={() => (isRenaming.value = true)}>
        ✎
      </Button>
      <Button kind="quiet" aria-label={t("delete_it", { name })} onClick={onDelete}>
        ✕
      </Button>
    </li>
  );
}
