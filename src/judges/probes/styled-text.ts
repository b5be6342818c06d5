/**
 * The same words in another dress: each sentence is an entry of a list, and begins in bold. What is in a list already, or
 * marked, has its marks taken away first. Words, numbers and punctuation stay, in their order.
 */
export function styledText(text: string): string {
  return sentencesOf(text)
    .map((sentence) => `- ${sentence.replace(FIRST_WORD, '**$1**')}`)
    .join('\n');
}

const FIRST_WORD = /^(\S{1,200})/;
/** Marks at the beginning of a line: of a list, a heading or a quotation. */
const MARKS = /^[ \t]*(?:[-+#>]{1,6}[ \t]+)+/;

function sentencesOf(text: string): readonly string[] {
  return text.split(/\n/).flatMap((line) =>
    line
      .replace(MARKS, '')
      .replaceAll('**', '')
      .split(/(?<=[.!?])[ \t]+/)
      .map((sentence) => sentence.trim())
      .filter((sentence) => sentence !== ''),
  );
}
