import { displayWidth } from './display-width.ts';

/** Signs of our own reports and an ASCII character of the same width for each. */
const SIGNS: Readonly<Record<string, string>> = {
  '✓': '+',
  '✗': 'x',
  '—': '-',
  '·': '-',
  '→': '>',
  '…': '~',
  '█': '#',
  '▒': 'x',
  '░': '.',
};

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** `text` in ASCII, every line as wide as before; characters without a stand-in become question marks. */
export function asciiText(text: string): string {
  let ascii = '';
  for (const { segment } of graphemes.segment(text)) {
    const code = segment.charCodeAt(0);
    ascii += segment.length === 1 && code < 0x80 ? segment : (SIGNS[segment] ?? '?'.repeat(displayWidth(segment)));
  }
  return ascii;
}
