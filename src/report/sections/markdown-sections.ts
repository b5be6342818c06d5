import type { RenderOptions } from '../../types/render-options.ts';
import { plural } from '../../text/format-number.ts';
import { codeBlock, codeCell, codeHtml, codeSpan, details } from '../markdown-text.ts';
import { fileStyle, type TextStyle } from '../text/text-style.ts';
import { matrixLines } from './matrix-lines.ts';
import { blocksOf, type Evidence, type EvidenceList, type Matrix, type MatrixCell, type Section } from './section.ts';
import { factLines } from './text-sections.ts';

/** Most columns of a table. A matrix with more is a code block: a wider table fits no comment. */
const MOST_COLUMNS = 12;
/** Without `verbose`, at most so many are shown, and the others counted. */
const MOST_EVIDENCE = 50;

/**
 * Sections as Markdown: mark, name and numbers, notes, matrices as tables, evidence folded. If `quiet`, only sections
 * that are not fine, without matrices.
 */
export function sectionBlocks(sections: readonly Section[], options: RenderOptions): readonly string[] {
  const style = fileStyle(options);
  const shown = options.quiet ? sections.filter(({ isFine }) => !isFine) : sections;
  return shown.flatMap((section) => [
    ...headBlocks(section),
    ...(options.quiet ? [] : blocksOf(section, 'matrix').flatMap((matrix) => matrixBlocks(matrix, style))),
    ...blocksOf(section, 'evidence').flatMap((list) => evidenceBlocks(list, style)),
  ]);
}

function headBlocks(section: Section): readonly string[] {
  const { kind, name, mark, parts } = section;
  const label = `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
  const sentences = blocksOf(section, 'notes').flatMap(({ sentences }) => sentences);
  return [
    `\n### ${mark.sign} ${label} ${codeSpan(name)} ${mark.name}\n\n${parts.join(' · ')}\n`,
    ...(sentences.length === 0 ? [] : [`\n${codeBlock(sentences.join('\n'))}`]),
  ];
}

function matrixBlocks(matrix: Matrix, style: TextStyle): readonly string[] {
  const { corner, columns, rows, cells, legend } = matrix;
  if (columns.length === 0 || rows.length === 0) return [];
  if (columns.length > MOST_COLUMNS) return [`\n${codeBlock(matrixLines(matrix, style).join('\n'))}`];
  const names = columns.map(({ name }) => codeCell(name));
  const lines = rows.map(({ name, remark }, at) => {
    const row = cells.slice(at * columns.length, (at + 1) * columns.length).map(strongCell);
    return `| ${[remark, codeCell(name), ...row].join(' | ')} |\n`;
  });
  const header = `\n| | ${corner} | ${names.join(' | ')} |\n|---|---|${'---|'.repeat(columns.length)}\n`;
  return [`${header}${lines[0] ?? ''}`, ...lines.slice(1), ...(legend === '' ? [] : [`\n${legend}\n`])];
}

function strongCell({ mark, text }: MatrixCell): string {
  const shown = `${mark.sign} ${text}`;
  return mark.role === 'bad' ? `**${shown}**` : shown;
}

function evidenceBlocks({ noun, items }: EvidenceList, style: TextStyle): readonly string[] {
  const shown = style.verbose ? items : items.slice(0, MOST_EVIDENCE);
  const more = items.length - shown.length;
  return [
    ...shown.map((item) => evidenceBlock(item, style)),
    ...(more > 0 ? [`\n… ${plural(more, `red ${noun}`)} more.\n`] : []),
  ];
}

function evidenceBlock({ names, joint, remark, mark, facts }: Evidence, style: TextStyle): string {
  const words = [remark, mark.name].filter((word) => word !== '').join(', ');
  return details(`${names.map(codeHtml).join(` ${joint} `)}: ${words}`, factLines(facts(), style).join('\n'));
}
