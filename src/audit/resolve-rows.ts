import { MOST_HISTOGRAM_TRIALS, mostHistogramTasks } from '../stats/success-histogram.ts';
import type { Issue } from '../types/issue.ts';
import type { StatedCount } from '../types/audit/table-audit.ts';
import { exceeds } from './printed-rate.ts';
import type { Placed, PrintedValue, PublishedRow, PublishedTable } from './published-table.ts';
import { Problems } from './read-row.ts';

/** What a user says of tables beyond what stands in them. */
export interface TableReading {
  /** Tasks of rows that do not say how many. */
  readonly tasks?: number;
  /** The same by domain, which comes before `tasks`. */
  readonly domainTasks?: Readonly<Record<string, number>>;
  /** Trials of each task, of rows that do not say how many. */
  readonly trials?: number;
  /** Whether values are percentages or fractions of 1; default: percentages where one of a file is above 1. */
  readonly scale?: 'percent' | 'fraction';
  /** Values were rounded to at least so many decimals, though writers such as JSON drop zeros at the end. */
  readonly decimals?: number;
}

/** A row with all that is needed to judge it. */
export interface ResolvedRow {
  readonly table: PublishedTable;
  readonly row: PublishedRow;
  /** Null: nobody says how many. */
  readonly tasks: StatedCount | null;
  readonly trials: StatedCount;
  readonly decimals: number | null;
  /** True: values without a percent sign are percentages all the same. */
  readonly isPercent: boolean;
}

/** Base sets of τ²-bench, which its submissions do not repeat. Source: its data/tau2/domains, split `base`. */
const TAU2_TASKS: Readonly<Record<string, number>> = { airline: 50, retail: 114, telecom: 114, banking_knowledge: 97 };
/** Submissions have pass_1 … pass_4. Source: τ²-bench, web/leaderboard. */
const TAU2_TRIALS = 4;

/** The rows of a table with tasks and trials from wherever they are said, or all that contradicts. */
export function resolveRows(
  table: PublishedTable,
  reading: TableReading,
): { readonly rows: readonly ResolvedRow[]; readonly issues: readonly Issue[] } {
  const problems = new Problems(table.source);
  const isPercent = readsPercent(table, reading);
  const rows = table.rows.map((row): ResolvedRow => {
    const trials = trialsOf(row, { table, reading, problems });
    const tasks = tasksOf(row, { table, reading, problems });
    checkCounts(row, { tasks, trials, problems });
    for (const value of row.values.values()) checkValue(value, wholeOf(value, isPercent), problems);
    return { table, row, tasks, trials, decimals: reading.decimals ?? null, isPercent };
  });
  return { rows, issues: problems.issues };
}

/** What stands for 1 in a value: 100 in percentages. */
export function wholeOf({ rate }: PrintedValue, isPercent: boolean): bigint {
  return rate.hasPercentSign || isPercent ? 100n : 1n;
}

function readsPercent({ benchmark, rows }: PublishedTable, { scale }: TableReading): boolean {
  if (scale !== undefined) return scale === 'percent';
  if (benchmark === 'tau2') return true;
  return rows.some(({ values }) => [...values.values()].some(({ rate }) => !rate.hasPercentSign && exceeds(rate, 1n)));
}

interface Said {
  readonly table: PublishedTable;
  readonly reading: TableReading;
  readonly problems: Problems;
}

function trialsOf(row: PublishedRow, { table, reading, problems }: Said): StatedCount {
  const said = reading.trials;
  if (row.trials !== null) return ofFile(row.trials, said, { flag: '--trials', problems });
  if (said !== undefined) return { count: said, from: 'option' };
  if (table.benchmark === 'tau2') return { count: Math.max(table.columns, TAU2_TRIALS), from: 'benchmark' };
  return { count: Math.max(table.columns, 1), from: 'columns' };
}

function tasksOf(row: PublishedRow, { table, reading, problems }: Said): StatedCount | null {
  const { domainTasks = {}, tasks } = reading;
  const said = Object.hasOwn(domainTasks, row.domain) ? domainTasks[row.domain] : tasks;
  if (row.tasks !== null) return ofFile(row.tasks, said, { flag: '--tasks', problems });
  if (said !== undefined) return { count: said, from: 'option' };
  const count =
    table.benchmark === 'tau2' && Object.hasOwn(TAU2_TASKS, row.domain) ? TAU2_TASKS[row.domain] : undefined;
  return count === undefined ? null : { count, from: 'benchmark' };
}

function ofFile(
  { value, range }: Placed<number>,
  said: number | undefined,
  { flag, problems }: { readonly flag: string; readonly problems: Problems },
): StatedCount {
  if (said !== undefined && said !== value) {
    const noun = flag.slice(2);
    const message = `The row says ${value} ${noun}, and ${flag} says ${said}.`;
    problems.tell('contradiction', message, range, `Leave ${flag} out, or the row's own number.`);
  }
  return { count: value, from: 'file' };
}

function checkCounts(
  row: PublishedRow,
  {
    tasks,
    trials,
    problems,
  }: { readonly tasks: StatedCount | null; readonly trials: StatedCount; readonly problems: Problems },
): void {
  if (trials.count > MOST_HISTOGRAM_TRIALS) {
    const message = `${trials.count} trials are more than the ${MOST_HISTOGRAM_TRIALS} for which histograms are looked for.`;
    problems.tell('too_many', message, row.trials?.range ?? row.range, 'Leave the row out.');
    return;
  }
  const most = mostHistogramTasks(trials.count);
  if (tasks !== null && tasks.count > most) {
    const message = `${tasks.count} tasks are more than the ${most} for which histograms of ${trials.count} trials are looked for.`;
    problems.tell('too_many', message, row.tasks?.range ?? row.range, 'Leave the row out.');
  }
  for (const [k, { range }] of row.values) {
    if (k <= trials.count) continue;
    const message = `pass^${k} of ${trials.count} trials does not exist.`;
    problems.tell('bad_k', message, range, 'Give the number of trials of each task, or leave the value out.');
  }
}

function checkValue({ text, rate, range }: PrintedValue, whole: bigint, problems: Problems): void {
  if (!exceeds(rate, whole)) return;
  const hint = whole === 1n ? 'Say --scale percent if these are percentages.' : 'No pass^k is above 100 %.';
  problems.tell('bad_rate', `"${text}" is above ${whole}.`, range, hint);
}
