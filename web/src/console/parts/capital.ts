/** Begin a sentence of the server with a capital, where it stands alone. */
export function capital(sentence: string): string {
  return sentence.charAt(0).toLocaleUpperCase() + sentence.slice(1);
}
