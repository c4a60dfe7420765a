/** A report of the server: opened by a link, or fetched and saved where no link takes the session. */

import { useSignal } from "@preact/signals";

import { fetchesItself, fetchFile, save } from "../../audit/download.ts";
import { Problem } from "../../live/index.ts";
import { Button, notify } from "../../shell/index.ts";
import { useWords } from "../../words/words.ts";

interface Props {
  readonly address: string;
  /** What the file is called. */
  readonly name: string;
  readonly label: string;
  /** Which of several it is, for who listens. */
  readonly of?: string;
  /** Whether it is a page to be looked at, not only a file. */
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
  // The token of a demo's tab goes with no link: the page is saved as a file, complete in itself.
  const fetchIt = async (): Promise<void> => {
    busy.value = true;
    try {
      save(await fetchFile(address, () => undefined, new AbortController().signal), name);
      notify(t("report_saved", { name }));
    } catch (error) {
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
