/** Whether a word is the address of a server. Other words with a colon are paths, as in C:\reports. */
export function isWebAddress(word: string): boolean {
  return /^https?:\/\//i.test(word);
}
