import { characters } from '../text/characters.ts';
import { displayWidth } from '../text/display-width.ts';
import { inertLines } from '../text/visible-text.ts';

/** Signs that reports use, with an ASCII character of the same width for each. */
const SIGNS: Readonly<Record<string, string>> = {
  '✓': '+',
  '✗': 'x',
  '—': '-',
  '·': '-',
  '→': '>',
  '…': '~',
  '█': '#',
  '▓': '%',
  '▒': 'x',
  '░': '.',
  '▁': '_',
  '▂': '.',
  '▃': ':',
  '▄': '-',
  '▅': '=',
  '▆': '+',
  '▇': '*',
  '▸': '>',
  '◷': '@',
  '│': '|',
  '├': '+',
  '└': '+',
  '─': '-',
  '↳': '>',
  '−': '-',
};

/** `text` in ASCII, every line as wide as before; characters without a stand-in become question marks. */
export function asciiText(text: string): string {
  let ascii = '';
  for (const character of characters(text)) {
    const code = character.charCodeAt(0);
    ascii +=
      character.length === 1 && code < 0x80 ? character : (SIGNS[character] ?? '?'.repeat(displayWidth(character)));
  }
  return ascii;
}

/** The text of a report as it is written: in ASCII unless `unicode`, and no line is a command to a CI runner. */
export function finishedText(text: string, unicode: boolean): string {
  return inertLines(unicode ? text : asciiText(text));
}
