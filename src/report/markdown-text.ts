/** `text` (one line) as a code span, in which nothing is markup, a mention or a link; not for tables. */
export function codeSpan(text: string): string {
  const fence = '`'.repeat(longestRun(text) + 1);
  // A blank at each side is taken away again; without them a backtick of the text would join the fence.
  const inner = text.startsWith('`') || text.endsWith('`') || isPadded(text) ? ` ${text} ` : text;
  return text.trim() === '' ? '' : `${fence}${inner}${fence}`;
}

/** The same for tables, which end a cell at a pipe, even inside code. */
export function codeCell(text: string): string {
  return codeSpan(text).replaceAll('|', '\\|');
}

/** Lines as a code block that ends where it should, whatever they hold. */
export function codeBlock(text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}text\n${text}\n${fence}\n`;
}

/** `text` (one line) as code inside an HTML block, where Markdown reads nothing. */
export function codeHtml(text: string): string {
  const escaped = text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
  return `<code>${escaped}</code>`;
}

/** Text that is folded away under `summary`; the empty lines end the HTML block, so that what is inside is Markdown again. */
export function details(summary: string, text: string): string {
  return `\n<details><summary>${summary}</summary>\n\n${codeBlock(text)}\n</details>\n`;
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

/** Readers of Markdown take one blank away at each end of a span that has blanks at both. */
function isPadded(text: string): boolean {
  return text.startsWith(' ') && text.endsWith(' ');
}
