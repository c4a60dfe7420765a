/** The version of this page: the name of its first file, which changes with every new build. */

export function ourPage(): string {
  const script = document.querySelector<HTMLScriptElement>('script[type="module"][src]');
  return script === null ? "" : (script.src.split("/").at(-1) ?? "");
}
