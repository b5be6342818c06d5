/** Why a recorded run is broken that cannot be read; `why` is a sentence. */
export function unreadableReason(
  why: string,
  { file, byte }: { readonly file: string; readonly byte: number },
): string {
  return `The run at byte ${byte} of ${file} cannot be read: ${why}`;
}

/** The cause without the place of one run, so that runs which cannot be read for the same reason are counted together. */
export function withoutPlace(cause: string): string {
  return cause.replace(/^The run at byte \d+ of (?=.* cannot be read: )/, 'A run of ');
}
