import { plainText } from '../plain-text.ts';
import type { TextStyle } from '../text/text-style.ts';
import { hangPainted, hangText, joinParts, wrapText } from '../text/wrap-text.ts';
import type { Beside, BesideRow, FigureRow, ListingRow, Names, Panel, PanelBlock, PanelNotes } from './panel.ts';

/** Without `verbose`, at most so many of a group are shown, and the others counted. */
const MOST_ROWS = 20;
/** Lines of a panel that are shown whatever there is besides. */
const MOST_SHORT = 3;
const MARK_WIDTH = 10;
const LONGEST_NAME = 80;
const LONGEST_PART = 120;

/** A panel as lines: its headline, then its blocks. */
export function panelLines(panel: Panel, style: TextStyle): readonly string[] {
  return [...headLines(panel, style), ...panel.blocks.flatMap((block) => blockLines(block, style))];
}

/** Its listings alone, without what its figures say as well. */
export function listingLines({ blocks }: Panel, style: TextStyle): readonly string[] {
  return blocks.flatMap((block) =>
    block.type === 'listing'
      ? block.groups.flatMap((group) =>
          groupLines(
            group.map(({ untabled: _, ...row }) => row),
            style,
          ),
        )
      : [],
  );
}

/** The same of a run with very many scenarios of several folders: where nothing is amiss, long blocks are left out. */
export function shortPanelLines(panel: Panel, style: TextStyle): readonly string[] {
  const blocks = panel.blocks.flatMap((block) => blockLines(block, style));
  const isShown = panel.isTrouble || blocks.length <= MOST_SHORT;
  return [...headLines(panel, style), ...(isShown ? blocks : [`  … ${blocks.length} lines more (--verbose)`])];
}

function headLines(panel: Panel, style: TextStyle): readonly string[] {
  const parts = titledParts(panel);
  const [head = '', ...rest] = wrapText(parts.length > 1 ? joinParts(parts) : (parts[0] ?? ''), style.columns);
  return [panel.isTelling ? style.paint('strong', head) : head, ...rest];
}

/** The headline where no title stands above it. */
export function titledParts({ title, isTitled, headline }: Panel): readonly string[] {
  const [first = '', ...others] = headline;
  return isTitled ? [`${title}: ${first}`, ...others] : headline;
}

function blockLines(block: PanelBlock, style: TextStyle): readonly string[] {
  switch (block.type) {
    case 'listing':
      return block.groups.flatMap((group) => groupLines(group, style));
    case 'names':
      return nameLines(block, style);
    case 'figures':
      return block.rows.flatMap((row) => figureLines(row, style));
    case 'notes':
      return noteLines(block, style);
    case 'beside':
      return besideLines(block, style);
  }
}

/** Rows of each trial from the first difference on that are shown, and equal ones before them. */
const MOST_BESIDE = 4;
const MOST_EQUAL = 2;

/** What is to be said of them, then both trials around the first difference, one below the other: `-` before, `+` now. */
function besideLines({ about, rows, titles: [before, now] }: Beside, style: TextStyle): readonly string[] {
  const most = style.verbose ? rows.length : MOST_BESIDE;
  const equal = rows.filter(({ differs }) => !differs).slice(style.verbose ? 0 : -MOST_EQUAL);
  const different = rows.filter(({ differs }) => differs);
  const lines = (sign: string, list: readonly (BesideRow['now'] | undefined)[]): readonly string[] =>
    list.flatMap((row) => (row == null ? [] : hangText(`    ${sign} `, `${row[0]} ${row[1]}`, style.columns)));
  const sides = [
    { sign: '-', title: before, list: different.map((row) => row.before) },
    { sign: '+', title: now, list: different.map((row) => row.now) },
  ];
  return [
    ...rowLines(about, style),
    ...lines(
      ' ',
      equal.map((row) => row.now),
    ),
    ...sides.flatMap(({ sign, title, list }) => {
      const all = list.filter((row) => row !== null);
      const more = all.length - most;
      return [
        ...(all.length === 0 ? [`    ${sign} nothing more (${title})`] : lines(sign, all.slice(0, most))),
        ...(more > 0 ? [`    ${sign} … ${more} more (--verbose)`] : []),
      ];
    }),
  ];
}

function noteLines({ tone, sentences }: PanelNotes, style: TextStyle): readonly string[] {
  // Notices stand in the text report as well.
  if (tone === 'noticed') return [];
  const lines = sentences.flatMap((note) => hangText(tone === 'warning' ? '  ! ' : '  ', note, style.columns));
  return tone === 'aside' ? lines.map((line) => style.paint('dim', line)) : lines;
}

function figureLines({ names: [name], parts, isSummed }: FigureRow, style: TextStyle): readonly string[] {
  if (parts.length === 0 || (isSummed === true && !style.verbose)) return [];
  const text = joinParts(parts.map((part) => plainText(part, LONGEST_PART)));
  return hangText('  ', `${plainText(name, LONGEST_NAME)}: ${text}`, style.columns);
}

function groupLines(rows: readonly ListingRow[], style: TextStyle): readonly string[] {
  const shown = style.verbose ? rows : rows.slice(0, MOST_ROWS);
  const lines = shown.flatMap((row) => rowLines(row, style));
  const more = rows.length - shown.length;
  return more > 0 ? [...lines, `  … ${more} more (--verbose)`] : lines;
}

function rowLines({ mark, name, parts, lines, untabled = [] }: ListingRow, style: TextStyle): readonly string[] {
  const below = [...lines, ...untabled].flatMap((line) => hangText('    ', line, style.columns));
  if (mark === null) return [...hangText('  ', joinParts(parts), style.columns), ...below];
  const head = `${mark.sign} ${mark.word}`.padEnd(MARK_WIDTH);
  const named = `${plainText(name, style.columns - MARK_WIDTH)}  ${parts[0] ?? ''}`;
  return [...hangPainted(head, joinParts([named, ...parts.slice(1)]), { role: mark.role, style }), ...below];
}

function nameLines({ mark, names }: Names, style: TextStyle): readonly string[] {
  const shown = style.verbose ? names : names.slice(0, MOST_ROWS);
  const more = names.length - shown.length;
  const texts = shown.map((name) => plainText(name, LONGEST_NAME));
  if (more > 0) texts.push(`${more} more (--verbose)`);
  return hangText(`${mark.sign} ${mark.word}`.padEnd(MARK_WIDTH), joinParts(texts, ', '), style.columns);
}
