import { formatCount } from '../../text/format-number.ts';
import { codeCell } from '../markdown-text.ts';
import type { ResultTable, TableRow } from './section.ts';

/** A table with a row for each result and each folder, a block for each row. The first block holds the header too. */
export function tableBlocks({ corner, columns, rows, folded }: ResultTable): readonly string[] {
  if (rows.length + folded.length === 0) return [];
  const titles = columns.map(({ header }) => header).join(' | ');
  const header = `\n| | ${corner} | ${titles} |\n|---|---|${'--:|'.repeat(columns.length)}\n`;
  const blank = ' |'.repeat(columns.length);
  const lines = rows.map((row) => {
    const { name, cells, why } = row;
    const start = `| ${markText(row)} | ${codeCell(name)}`;
    return cells === null ? `${start} ${why} |${blank}\n` : `${start} | ${cells.join(' | ')} |\n`;
  });
  const folders = folded.map(
    ({ mark, name, members, trials, note }) =>
      `| ${mark.sign} ${mark.word} | ${codeCell(name)} ${members}${note === '' ? '' : `, ${note}`} | ${formatCount(trials)} |${blank.slice(2)}\n`,
  );
  return [header + (lines[0] ?? ''), ...lines.slice(1), ...folders];
}

function markText({ mark: { sign, word }, isTrouble }: TableRow): string {
  return isTrouble ? `${sign} **${word}**` : `${sign} ${word}`;
}
