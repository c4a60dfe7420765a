/** Capitalise a sentence of the server, for a place where it stands alone. */
export function capital(sentence: string): string {
  return sentence.charAt(0).toLocaleUpperCase() + sentence.slice(1);
}
