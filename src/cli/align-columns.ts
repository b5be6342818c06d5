import { displayWidth, padEnd } from '../text/display-width.ts';
import { visibleText } from '../text/visible-text.ts';

/** Rows of text from anywhere as aligned columns, two spaces apart; the last column is left as it is. */
export function alignColumns(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map((cell) => visibleText(cell)));
  const widths: number[] = [];
  for (const row of cells) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, displayWidth(cell));
  }
  return cells
    .map(
      (row) =>
        `${row
          .map((cell, index) => padEnd(cell, widths[index] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
