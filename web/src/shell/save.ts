/** Have the browser save something under a name. */
export function save(content: string | Blob, name: string): void {
  const address = typeof content === "string" ? content : URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  // The browser has taken it up by the time the next task runs.
  if (typeof content !== "string") setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
