import { type Bench, missesBar, type Row } from './bench.ts';

/** The rows of one bench as a table; with earlier values, how many times as much each figure is now. */
export function renderRows({ name, about }: Bench, rows: readonly Row[], before: ReadonlyMap<string, number>): string {
  const width = Math.max(...rows.map((row) => row.name.length), 0);
  const lines = rows.map((row) => {
    const known = before.get(`${name}/${row.name}`);
    const change = known === undefined ? '' : `  now/then ${(row.value / known).toFixed(2)}`;
    const note = row.note === undefined ? '' : `  (${row.note})`;
    return `  ${row.name.padEnd(width)}  ${showFigure(row).padStart(12)}${barOf(row)}${change}${note}`;
  });
  return [`${name}: ${about}`, ...lines, ''].join('\n');
}

function barOf(row: Row): string {
  const { atLeast, atMost } = row;
  if (atLeast === undefined && atMost === undefined) return '';
  const verdict = missesBar(row) ? 'MISSED' : 'ok';
  return atLeast === undefined ? `  at most ${atMost}: ${verdict}` : `  at least ${atLeast}: ${verdict}`;
}

function showFigure({ value, unit }: Row): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  const text = unit === '/s' && value >= 1e6 ? `${(value / 1e6).toFixed(1)} M` : value.toFixed(digits);
  return unit === '/s' ? `${text}/s` : `${text} ${unit}`;
}
