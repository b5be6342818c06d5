/** The file, folder or address behind the name of a reporter; '': the word has none. */
export function reportTarget(word: string): string {
  return /:(.+)$/s.exec(word)?.[1] ?? '';
}
