import type { ScenarioReport } from '../types/report.ts';
import { displayWidth, padEnd, padStart, shorten } from '../text/display-width.ts';
import { plural } from './format-number.ts';
import { plainText } from './plain-text.ts';
import { flakyText } from './flaky-text.ts';
import { foldFolders, type FolderCount } from './fold-folders.ts';
import { scenarioCells, type Column } from './scenario-cells.ts';
import { scenarioMark } from './scenario-mark.ts';
import type { TextStyle } from './text-style.ts';
import { hangText } from './wrap-text.ts';

/** The name keeps at least this much; numbers give way before it does. */
const LEAST_NAME = 12;
const MARK_WIDTH = 9;

/** A line for each scenario in report order; of many, those that passed without a failing trial are counted by folder. */
export function scenarioLines(scenarios: readonly ScenarioReport[], style: TextStyle): readonly string[] {
  if (scenarios.length === 0) return [];
  const { shown, folded } = foldFolders(scenarios, style.verbose);
  const names = shown.map((scenario) => plainText(scenario.name, style.columns));
  const rows = shown.map((scenario) => (isMeasured(scenario) ? scenarioCells(scenario) : null));
  const columns = fitColumns(rows, style.columns);
  const room = style.columns - MARK_WIDTH - columns.reduce((sum, { width }) => sum + width + 2, 0);
  const nameWidth = Math.min(room, widest('scenario', names));
  const lines: string[] = [];
  if (columns.length > 0) lines.push(style.paint('dim', headerLine(columns, nameWidth)));
  for (const [i, scenario] of shown.entries()) {
    const mark = scenarioMark(scenario);
    const head = style.paint(mark.role, padEnd(`${mark.sign} ${mark.word}`, MARK_WIDTH));
    const name = names[i] ?? '';
    const cells = rows[i];
    if (cells === null || cells === undefined) {
      lines.push(...unmeasuredLines(scenario, head, name, style));
      continue;
    }
    const numbers = columns.map(({ id, width }) => `  ${padStart(cells[id], width)}`).join('');
    lines.push(`${head}${padEnd(shorten(name, nameWidth), nameWidth)}${numbers}`);
    const note = flakyText(scenario);
    if (note === null) continue;
    for (const line of hangText(' '.repeat(MARK_WIDTH), note, style.columns)) lines.push(style.paint('dim', line));
  }
  return [...lines, ...folderLines(folded, style)];
}

function isMeasured({ trials, exact }: ScenarioReport): boolean {
  return trials.executed > 0 || exact !== undefined;
}

interface FittedColumn {
  readonly id: Column;
  readonly width: number;
}

/** Columns in the order in which they stand, with the order in which they give way: the highest first. */
const COLUMNS: readonly { readonly id: Column; readonly header: string; readonly givesWay: number }[] = [
  { id: 'passed', header: 'passed', givesWay: 1 },
  { id: 'rate', header: 'rate', givesWay: 0 },
  { id: 'interval', header: '95 % interval', givesWay: 3 },
  { id: 'strict', header: 'pass^n', givesWay: 2 },
  { id: 'calls', header: 'calls', givesWay: 5 },
  { id: 'tokens', header: 'tokens', givesWay: 4 },
];

function fitColumns(rows: readonly (Readonly<Record<Column, string>> | null)[], columns: number): FittedColumn[] {
  const measured = rows.filter((row) => row !== null);
  if (measured.length === 0) return [];
  let fitted = COLUMNS.map(({ id, header, givesWay }) => ({
    id,
    givesWay,
    width: widest(
      header,
      measured.map((row) => row[id]),
    ),
  }));
  const total = (): number => fitted.reduce((sum, { width }) => sum + width + 2, MARK_WIDTH + LEAST_NAME);
  while (fitted.length > 1 && total() > columns) {
    const last = Math.max(...fitted.map(({ givesWay }) => givesWay));
    fitted = fitted.filter(({ givesWay }) => givesWay !== last);
  }
  return fitted;
}

/** No spread: there may be more scenarios than a call takes arguments. */
function widest(header: string, texts: readonly string[]): number {
  return texts.reduce((width, text) => Math.max(width, displayWidth(text)), header.length);
}

function headerLine(columns: readonly FittedColumn[], nameWidth: number): string {
  const header = (id: Column): string => COLUMNS.find((column) => column.id === id)?.header ?? '';
  const numbers = columns.map(({ id, width }) => `  ${padStart(header(id), width)}`).join('');
  return `${' '.repeat(MARK_WIDTH)}${padEnd('scenario', nameWidth)}${numbers}`;
}

function unmeasuredLines(scenario: ScenarioReport, head: string, name: string, style: TextStyle): readonly string[] {
  const why =
    scenario.verdict === 'load_error'
      ? `did not load: ${plural(scenario.loadErrors.length, 'problem')}`
      : scenario.reasons.exact === 'not_enumerated'
        ? 'could not be enumerated'
        : 'did not run';
  const room = style.columns - MARK_WIDTH;
  if (displayWidth(name) + 2 + why.length <= room) return [`${head}${name}  ${why}`];
  return [`${head}${shorten(name, room)}`, `${' '.repeat(MARK_WIDTH)}${why}`];
}

function folderLines(folded: readonly FolderCount[], style: TextStyle): readonly string[] {
  return folded.map(({ folder, scenarios, trials }) => {
    const counts = `${plural(scenarios, 'scenario')}, ${plural(trials, 'trial')}`;
    const name = plainText(folder, Math.max(LEAST_NAME, style.columns - MARK_WIDTH - counts.length - 2));
    return `${style.paint('good', padEnd('✓ pass', MARK_WIDTH))}${name}  ${counts}`;
  });
}
