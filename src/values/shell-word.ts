/** A file as a word of a command, where it is no option whatever it is called. */
export function fileWord(file: string): string {
  return shellWord(file.startsWith('-') ? `./${file}` : file);
}

/** A word as a POSIX shell takes it back. */
export function shellWord(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
