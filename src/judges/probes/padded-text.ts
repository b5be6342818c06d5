/** Sentences that say nothing of anything. */
const FILLER = [
  'To put it in other words, this is what was meant to be said here.',
  'It is worth a moment to keep in mind that the above is the whole of the answer.',
  'All of this has been considered with care, and it stands as it has been given.',
  'Naturally, this should be read together with what was said before it.',
  'In summary, the answer is the one that has been given above.',
] as const;

/** The same answer with so many sentences behind it that say nothing. */
export function withFiller(text: string, sentences: number): string {
  const filler = Array.from({ length: sentences }, (_, at) => FILLER[at % FILLER.length]);
  return sentences === 0 ? text : `${text}\n\n${filler.join(' ')}`;
}

/** The same answer with words around it that add nothing, at least twice as long. The answer itself stands in it unchanged. */
export function paddedText(text: string): string {
  let padding = '';
  for (let at = 0; padding.length < text.length || at === 0; at++) {
    padding += `${padding === '' ? '' : ' '}${FILLER[at % FILLER.length]}`;
  }
  return `${text}\n\n${padding}`;
}
