/** `text` (one line) as a code span, in which nothing is markup, a mention or a link; not for tables. */
export function codeSpan(text: string): string {
  const fence = '`'.repeat(longestRun(text) + 1);
  // Readers remove one blank at each side. Without them a backtick of the text would join the fence.
  const inner = text.startsWith('`') || text.endsWith('`') || isPadded(text) ? ` ${text} ` : text;
  return text.trim() === '' ? '' : `${fence}${inner}${fence}`;
}

/** The same for tables, which end a cell at a pipe, even inside code. */
export function codeCell(text: string): string {
  return codeSpan(text).replaceAll('|', '\\|');
}

/** Lines as a code block, which no line can end early. */
export function codeBlock(text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}text\n${text}\n${fence}\n`;
}

/** `text` (one line) as code inside an HTML block, where Markdown reads nothing. */
export function codeHtml(text: string): string {
  return `<code>${escapeHtml(text)}</code>`;
}

/** Text as HTML shows it, in elements and in attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** Text that is folded under `summary`. The empty lines end the HTML block, so the text inside is Markdown. */
export function details(summary: string, text: string): string {
  return `\n<details><summary>${summary}</summary>\n\n${codeBlock(text)}\n</details>\n`;
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

/** Whether a span has blanks at both ends, of which readers of Markdown remove one each. */
function isPadded(text: string): boolean {
  return text.startsWith(' ') && text.endsWith(' ');
}
