/** A report: opened by a link, or fetched and saved if a link cannot carry the session. */

import { useSignal } from "@preact/signals";

import { fetchesItself, fetchFile } from "../../audit/download.ts";
import { Problem } from "../../live/index.ts";
import { Button, notify, save } from "../../shell/index.ts";
import { useWords } from "../../words/words.ts";

interface Props {
  readonly address: string;
  /** The name of the file. */
  readonly name: string;
  readonly label: string;
  /** Which of several reports it is, for screen readers. */
  readonly of?: string;
  /** Whether it is a page to read, and not only a file. */
  readonly isPage?: boolean;
}

export function ReportLink({ address, name, label, of, isPage = false }: Props) {
  const t = useWords("pit");
  const busy = useSignal(false);
  const spoken = of === undefined ? label : t("report_of", { label, date: of });
  if (!fetchesItself()) {
    const opened = isPage ? { target: "_blank", rel: "noopener" } : { download: name };
    return (
      <a class="button button-plain" href={address} aria-label={spoken} {...opened}>
        {label}
      </a>
    );
  }
  // A link cannot carry the token of a demo's tab: fetch the report, and show a page in a new tab.
  const fetchIt = async (): Promise<void> => {
    busy.value = true;
    const tab = isPage ? window.open("", "_blank") : null;
    try {
      const file = await fetchFile(address, () => undefined, new AbortController().signal);
      if (tab !== null) return putInto(tab, await file.text());
      save(file, name);
      notify(() => t("report_saved", { name }));
    } catch (error) {
      tab?.close();
      if (!(error instanceof Problem)) throw error;
      notify(error.message, "refused");
    } finally {
      busy.value = false;
    }
  };
  return (
    <Button busy={busy.value} aria-label={spoken} onClick={() => void fetchIt()}>
      {label}
    </Button>
  );
}

const STYLE = /<style>([^<]*)<\/style>/;

/** Show a fetched page in a tab; its style is added as a sheet, which the venue's policy allows. */
function putInto(tab: Window, page: string): void {
  const sheet = new (tab as Window & typeof globalThis).CSSStyleSheet();
  sheet.replaceSync(STYLE.exec(page)?.[1] ?? "");
  const read = new DOMParser().parseFromString(page.replace(STYLE, ""), "text/html");
  const { document: shown } = tab;
  shown.title = read.title;
  shown.documentElement.lang = read.documentElement.lang;
  shown.body.replaceChildren(...[...read.body.childNodes].map((node) => shown.importNode(node, true)));
  shown.adoptedStyleSheets = [sheet];
}
