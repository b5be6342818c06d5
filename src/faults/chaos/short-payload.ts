/** Characters of a text of the file. */
const LONGEST = 80;

/** The beginning of a text of the file. */
export function shortPayload(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}
