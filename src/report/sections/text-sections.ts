import { displayWidth, padEnd, shorten } from '../../text/display-width.ts';
import { commandLines } from '../text/command-lines.ts';
import { plural } from '../../text/format-number.ts';
import type { TextStyle } from '../text/text-style.ts';
import { hangPainted, hangText, joinParts } from '../text/wrap-text.ts';
import { matrixLines } from './matrix-lines.ts';
import { type Block, blocksOf, type Evidence, type Fact, type Notes, type Section } from './section.ts';

/** Without `verbose`, at most so many of a kind are shown, and the others counted. */
const MOST = { evidence: 10, reason: 10, warning: 6 } as const;
/** Where there are no more sections than this, each is shown in full. */
const MOST_WHOLE = 3;
/** A wider matrix is left out where nothing in the result is red: its numbers say more. */
const MOST_COLUMNS = 12;
const MARK_WIDTH = 9;
const LABEL_WIDTH = 6;

/**
 * Sections as lines: mark, name and numbers, then the blocks in order. Of many, those that are fine have a title and warnings
 * alone, unless `verbose`. If `quiet`, only sections that are not fine.
 */
export function sectionLines(sections: readonly Section[], quiet: boolean, style: TextStyle): readonly string[] {
  const shown = quiet ? sections.filter(({ isFine }) => !isFine) : sections;
  const isShort = ({ isFine }: Section): boolean => isFine && sections.length > MOST_WHOLE && !style.verbose;
  return shown.flatMap((section, at) => {
    const before = shown[at - 1];
    const isBelowTitle = before !== undefined && isShort(before) && isShort(section);
    return [
      ...(isBelowTitle ? [] : ['']),
      ...titleLines(section, style),
      ...section.blocks
        .filter((block) => !isShort(section) || isWarning(block))
        .flatMap((block) => blockLines(block, section, style)),
    ];
  });
}

function isWarning(block: Block): boolean {
  return block.type === 'notes' && block.tone === 'warning';
}

function titleLines({ mark, name, parts }: Section, style: TextStyle): readonly string[] {
  const head = padEnd(`${mark.sign} ${mark.word}`, MARK_WIDTH);
  const short = shorten(name, style.columns - MARK_WIDTH);
  const together = MARK_WIDTH + displayWidth(short) + 2 + displayWidth(parts.join(' · ')) <= style.columns;
  const title = style.paint(mark.role, head) + style.paint('strong', short);
  if (together) return [`${title}  ${parts.join(' · ')}`];
  return [title, ...hangText('  ', joinParts(parts), style.columns)];
}

function blockLines(block: Block, section: Section, style: TextStyle): readonly string[] {
  switch (block.type) {
    case 'notes':
      return noteLines(block, style);
    case 'matrix':
      return isDull(section, block.columns.length) && !style.verbose ? [] : matrixLines(block, style);
    case 'evidence':
      return atMost(block.items, MOST.evidence, block.noun, style, (item) => [
        '',
        ...evidenceTitle(item, style),
        ...factLines(item.facts(), style),
      ]);
  }
}

function isDull(section: Section, columns: number): boolean {
  const isRed = blocksOf(section, 'evidence').some(({ items }) => items.length > 0);
  return section.isFine && !isRed && columns > MOST_COLUMNS;
}

function noteLines({ tone, sentences }: Notes, style: TextStyle): readonly string[] {
  if (tone === 'warning') {
    return atMost(sentences, MOST.warning, 'note', style, (note) => hangText('  ! ', note, style.columns));
  }
  return atMost(sentences, MOST.reason, 'reason', style, (reason) => hangText('  ', reason, style.columns));
}

function evidenceTitle({ mark, names, joint, remark }: Evidence, style: TextStyle): readonly string[] {
  const head = `  ${mark.sign} `;
  // Red means failed; any other colour needs the word.
  const words = [remark, mark.role === 'bad' ? '' : mark.name].filter((word) => word !== '');
  const text = `${names.join(` ${joint} `)}${words.length === 0 ? '' : ` — ${words.join(', ')}`}`;
  return hangPainted(head, text, { role: mark.role, style });
}

/** Facts as lines with labels. An answer of a subject has three lines at most, or 20 if `verbose`. */
export function factLines(facts: readonly Fact[], style: TextStyle): readonly string[] {
  const room = (style.columns - 12) * (style.verbose ? 20 : 3);
  return facts.flatMap(({ label, text, tone }) => {
    const first = `    ${label.padEnd(LABEL_WIDTH)}  `;
    switch (tone) {
      case 'command':
        return commandLines(first, text, style);
      case 'said':
        // Quotes show an empty text.
        return hangText(first, text === '' ? '""' : shorten(text, room), style.columns);
      default:
        return hangText(first, text, style.columns);
    }
  });
}

function atMost<Item>(
  items: readonly Item[],
  most: number,
  one: string,
  style: TextStyle,
  lines: (item: Item) => readonly string[],
): readonly string[] {
  const shown = style.verbose ? items : items.slice(0, most);
  const more = items.length - shown.length;
  return [...shown.flatMap(lines), ...(more > 0 ? [`  … ${plural(more, one)} more (--verbose)`] : [])];
}
