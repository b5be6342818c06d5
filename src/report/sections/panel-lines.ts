import type { RenderOptions } from '../../types/render-options.ts';
import { codeBlock } from '../markdown-text.ts';
import { plainText } from '../plain-text.ts';
import { type TextStyle, textStyle } from '../text-style.ts';
import { hangText, joinParts, wrapText } from '../wrap-text.ts';
import type { ListingRow, Names, Panel, PanelBlock } from './panel.ts';

/** Without `verbose`, more of a group than this are counted instead of shown. */
const MOST_ROWS = 20;
const MARK_WIDTH = 10;
const LONGEST_NAME = 80;

/** A panel as lines: its headline, then its blocks. */
export function panelLines({ headline, isTelling, blocks }: Panel, style: TextStyle): readonly string[] {
  const [sentence = ''] = headline;
  const [head = '', ...rest] = wrapText(headline.length > 1 ? joinParts(headline) : sentence, style.columns);
  return [
    isTelling ? style.paint('strong', head) : head,
    ...rest,
    ...blocks.flatMap((block) => blockLines(block, style)),
  ];
}

/** Panels as Markdown: a heading, and their lines as code. */
export function panelBlocks(panels: readonly Panel[], options: RenderOptions): readonly string[] {
  const style = textStyle({ ...options, color: false, columns: 100 });
  return panels.map((panel) => `\n### ${panel.title}\n\n${codeBlock(panelLines(panel, style).join('\n'))}`);
}

function blockLines(block: PanelBlock, style: TextStyle): readonly string[] {
  switch (block.type) {
    case 'listing':
      return block.groups.flatMap((group) => groupLines(group, style));
    case 'names':
      return nameLines(block, style);
    case 'notes':
      return block.tone === 'warning'
        ? block.sentences.flatMap((note) => hangText('  ! ', note, style.columns))
        : block.sentences
            .flatMap((text) => hangText('  ', text, style.columns))
            .map((line) => style.paint('dim', line));
  }
}

function groupLines(rows: readonly ListingRow[], style: TextStyle): readonly string[] {
  const shown = style.verbose ? rows : rows.slice(0, MOST_ROWS);
  const lines = shown.flatMap((row) => rowLines(row, style));
  const more = rows.length - shown.length;
  return more > 0 ? [...lines, `  … ${more} more (--verbose)`] : lines;
}

function rowLines({ mark, name, parts, lines }: ListingRow, style: TextStyle): readonly string[] {
  const below = lines.flatMap((line) => hangText('    ', line, style.columns));
  if (mark === null) return [...hangText('  ', joinParts(parts), style.columns), ...below];
  const head = `${mark.sign} ${mark.word}`.padEnd(MARK_WIDTH);
  const named = `${plainText(name, style.columns - MARK_WIDTH)}  ${parts[0] ?? ''}`;
  const [first = '', ...rest] = hangText(head, joinParts([named, ...parts.slice(1)]), style.columns);
  return [style.paint(mark.role, first.slice(0, MARK_WIDTH)) + first.slice(MARK_WIDTH), ...rest, ...below];
}

function nameLines({ mark, names }: Names, style: TextStyle): readonly string[] {
  const shown = style.verbose ? names : names.slice(0, MOST_ROWS);
  const more = names.length - shown.length;
  const texts = shown.map((name) => plainText(name, LONGEST_NAME));
  if (more > 0) texts.push(`${more} more (--verbose)`);
  return hangText(`${mark.sign} ${mark.word}`.padEnd(MARK_WIDTH), joinParts(texts, ', '), style.columns);
}
