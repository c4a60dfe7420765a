/** Which page this is: the file it began with, whose name changes with whatever it is built of. */

export function ourPage(): string {
  const script = document.querySelector<HTMLScriptElement>('script[type="module"][src]');
  return script === null ? "" : (script.src.split("/").at(-1) ?? "");
}
