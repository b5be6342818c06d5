import { displayWidth, padEnd, padStart, shortenMiddle, widest } from '../../text/display-width.ts';
import type { RenderOptions } from '../../types/render-options.ts';
import type { SuiteReport } from '../../types/reports/report.ts';
import { finishedText } from '../ascii-text.ts';
import { failureLines } from './failure-lines.ts';
import { isOverview } from './fold-folders.ts';
import { panelLines, shortPanelLines } from '../sections/panel-lines.ts';
import { leadPanels, reportPanels } from '../sections/report-panels.ts';
import { plural } from '../../text/format-number.ts';
import { givenUpTexts, otherNotices } from '../words/given-up-texts.ts';
import { noticeLines } from './notice-lines.ts';
import { reportedSections, reportedTables } from '../result-kinds.ts';
import type { FoldedRow, Mark, ResultTable, TableColumn, TableRow } from '../sections/section.ts';
import { sectionLines } from '../sections/text-sections.ts';
import { quietCountLines, summaryLines } from './summary-lines.ts';
import { type TextStyle, textStyle } from './text-style.ts';
import { trendLines } from './trend-lines.ts';
import { gateLines, timingLines } from './verdict-lines.ts';
import { PLAIN_OPTIONS } from '../plain-options.ts';
import { hangText, wrapText } from './wrap-text.ts';

/** The report for people: a line per scenario, failures in full, the suite in numbers, the gate's verdict last. */
export function renderText(report: SuiteReport, options: Partial<RenderOptions> = {}): string {
  const filled = { ...PLAIN_OPTIONS, ...options };
  const style = textStyle(filled);
  // On a terminal the end of a report is read first.
  const panels = [...reportPanels(report, filled), ...leadPanels(report)];
  const isShort = isOverview(report.scenarios, filled.verbose);
  const results = sectionLines(reportedSections(report), filled.quiet, style);
  const givenUp = givenUpTexts(report)
    .flatMap((text) => hangText('! ', text, style.columns))
    .map((line) => style.paint('warn', line));
  const sections = filled.quiet
    ? [
        givenUp,
        failureLines(report.scenarios, style),
        results,
        quietCountLines(report, style),
        ...panels.filter(({ isTrouble }) => isTrouble).map((panel) => panelLines(panel, style)),
        gateLines(report, style),
        timingLines(report, style),
      ]
    : [
        givenUp,
        ...reportedTables(report, filled.verbose).map((table) => tableLines(table, style)),
        failureLines(report.scenarios, style),
        results,
        trendLines(filled.trends ?? [], style),
        noticeLines(otherNotices(report), style),
        summaryLines(report, style),
        ...panels.map((panel) => (isShort ? shortPanelLines(panel, style) : panelLines(panel, style))),
        gateLines(report, style),
        timingLines(report, style),
      ];
  const text = joinSections(sections);
  return finishedText(text, filled.unicode);
}

/** Sections with one empty line between them. */
function joinSections(sections: readonly (readonly string[])[]): string {
  const texts = sections.map((lines) => lines.join('\n').replace(/^\n+/, '')).filter((text) => text !== '');
  return `${texts.join('\n\n')}\n`;
}

/** Fewest columns of a name: columns of numbers are left out before it gets narrower. */
const LEAST_NAME = 12;
const MARK_WIDTH = 9;

/** A line for each row with as many columns as fit, its note below it, and a line for each folder. */
export function tableLines(table: ResultTable, style: TextStyle): readonly string[] {
  const { corner, rows, folded } = table;
  const columns = fitColumns(table, style.columns);
  const room = style.columns - MARK_WIDTH - columns.reduce((sum, { width }) => sum + width + 2, 0);
  const names = rows.map(({ name }) => name);
  const nameWidth = Math.min(room, widest([corner, ...names]));
  const isAlike = alikeAt(names, nameWidth);
  return [
    ...(columns.length > 0 ? [style.paint('dim', headerLine(corner, columns, nameWidth))] : []),
    ...rows.flatMap((row) => rowLines(row, { columns, nameWidth, isAlike: isAlike(row.name) }, style)),
    ...folded.map((row) => folderLine(row, style)),
  ];
}

interface FittedColumn extends TableColumn {
  /** Its place among the cells of a row. */
  readonly place: number;
  readonly width: number;
}

/** The columns that fit: those that give way are left out one by one until a name has room. */
function fitColumns({ columns, rows }: ResultTable, room: number): readonly FittedColumn[] {
  const measured = rows.flatMap(({ cells }) => (cells === null ? [] : [cells]));
  if (measured.length === 0) return [];
  let fitted = columns.map((column, place) => ({
    ...column,
    place,
    width: widest([column.header, ...measured.map((cells) => cells[place] ?? '')]),
  }));
  const total = (): number => fitted.reduce((sum, { width }) => sum + width + 2, MARK_WIDTH + LEAST_NAME);
  while (fitted.length > 1 && total() > room) {
    const last = Math.max(...fitted.map(({ givesWay }) => givesWay));
    fitted = fitted.filter(({ givesWay }) => givesWay !== last);
  }
  return fitted;
}

function headerLine(corner: string, columns: readonly FittedColumn[], nameWidth: number): string {
  const numbers = columns.map(({ header, width }) => `  ${padStart(header, width)}`).join('');
  return `${' '.repeat(MARK_WIDTH)}${padEnd(corner, nameWidth)}${numbers}`;
}

/** Tells of a name whether another one looks the same once both are shortened. */
function alikeAt(names: readonly string[], width: number): (name: string) => boolean {
  const long = new Set(names.filter((name) => displayWidth(name) > width));
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const name of long) {
    const short = shortenMiddle(name, width);
    if (seen.has(short)) twice.add(short);
    seen.add(short);
  }
  return (name) => long.has(name) && twice.has(shortenMiddle(name, width));
}

interface RowLayout {
  readonly columns: readonly FittedColumn[];
  readonly nameWidth: number;
  /** True: another row has the same shortened name, so that this one stands above its numbers, in full. */
  readonly isAlike: boolean;
}

function rowLines(
  { mark, name, cells, why, note }: TableRow,
  { columns, nameWidth, isAlike }: RowLayout,
  style: TextStyle,
): readonly string[] {
  const head = markHead(mark, style);
  const indent = ' '.repeat(MARK_WIDTH);
  const room = style.columns - MARK_WIDTH;
  if (cells === null) {
    if (displayWidth(name) + 2 + why.length <= room) return [`${head}${name}  ${why}`];
    return [`${head}${shortenMiddle(name, room)}`, `${indent}${why}`];
  }
  const numbers = columns.map(({ place, width }) => `  ${padStart(cells[place] ?? '', width)}`).join('');
  const lines = isAlike
    ? wholeName(name, { nameWidth, room }, numbers).map((line, at) => `${at === 0 ? head : indent}${line}`)
    : [`${head}${padEnd(shortenMiddle(name, nameWidth), nameWidth)}${numbers}`];
  if (note === '') return lines;
  return [...lines, ...hangText(indent, note, style.columns).map((each) => style.paint('dim', each))];
}

/** Lines of a name in full, with the numbers behind the last one, or below it. */
function wholeName(
  name: string,
  { nameWidth, room }: { readonly nameWidth: number; readonly room: number },
  numbers: string,
): readonly string[] {
  const lines = wrapText(name, room);
  const last = lines.at(-1) ?? '';
  const hasRoom = displayWidth(last) <= nameWidth;
  return [...(hasRoom ? lines.slice(0, -1) : lines), `${padEnd(hasRoom ? last : '', nameWidth)}${numbers}`];
}

function folderLine({ mark, name, members, trials, note }: FoldedRow, style: TextStyle): string {
  const counts = `${members}, ${plural(trials, 'trial')}${note === '' ? '' : `, ${note}`}`;
  const short = shortenMiddle(name, Math.max(LEAST_NAME, style.columns - MARK_WIDTH - counts.length - 2));
  return `${markHead(mark, style)}${short}  ${counts}`;
}

function markHead({ sign, word, role }: Mark, style: TextStyle): string {
  return style.paint(role, padEnd(`${sign} ${word}`, MARK_WIDTH));
}
