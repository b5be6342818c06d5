import type { RenderOptions } from '../../types/render-options.ts';
import { plural } from '../../text/format-number.ts';
import { codeBlock, codeCell, codeSpan } from '../markdown-text.ts';
import { plainText } from '../plain-text.ts';
import { fileStyle } from '../text/text-style.ts';
import type { Figures, Panel } from './panel.ts';
import { listingLines, panelLines, titledParts } from './panel-lines.ts';

/** Without `verbose`, at most so many rows are shown, and the others counted. */
const MOST_ROWS = 50;
const LONGEST_NAME = 120;

/** Panels as Markdown: numbers as a table, anything else as lines of code. If `quiet`, only panels that are trouble. */
export function panelBlocks(panels: readonly Panel[], options: RenderOptions): readonly string[] {
  const style = fileStyle(options);
  const shown = options.quiet ? panels.filter(({ isTrouble }) => isTrouble) : panels;
  return shown.flatMap((panel) => {
    const { title, namesHead = false, blocks } = panel;
    const heading = (text: string): string => `\n### ${namesHead ? codeSpan(text) : text}\n`;
    const figures = blocks.filter((block) => block.type === 'figures');
    if (figures.length === 0) return [`${heading(title)}\n${codeBlock(panelLines(panel, style).join('\n'))}`];
    const notes = blocks.flatMap((block) => (block.type === 'notes' ? block.sentences : []));
    const sentences = [...listingLines(panel, style), ...notes];
    return [
      `${heading(titledParts(panel).join(' · '))}${sentences.length === 0 ? '' : `\n${codeBlock(sentences.join('\n'))}`}`,
      ...figures.flatMap((block) => figureBlocks(block, options)),
    ];
  });
}

function figureBlocks(
  { corners, headers, namesHeaders = false, rows }: Figures,
  { verbose }: RenderOptions,
): readonly string[] {
  if (rows.length === 0) return [];
  const titles = namesHeaders ? headers.map((name) => codeCell(plainText(name, LONGEST_NAME))) : headers;
  const header = `\n| ${[...corners, ...titles].join(' | ')} |\n|---|---|${'--:|'.repeat(headers.length)}\n`;
  const shown = verbose ? rows : rows.slice(0, MOST_ROWS);
  const lines = shown.map(
    ({ names, cells }) =>
      `| ${[...names.map((name) => codeCell(plainText(name, LONGEST_NAME))), ...cells].join(' | ')} |\n`,
  );
  const more = rows.length - shown.length;
  return [`${header}${lines[0] ?? ''}`, ...lines.slice(1), ...(more > 0 ? [`\n… ${plural(more, 'row')} more.\n`] : [])];
}
