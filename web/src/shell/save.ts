/** Save content as a file under a name. */
export function save(content: string | Blob, name: string): void {
  const address = typeof content === "string" ? content : URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  // By the next task the browser has begun to save it.
  if (typeof content !== "string") setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
