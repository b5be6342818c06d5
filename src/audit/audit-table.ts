import { resolve } from 'node:path';
import { PasskError } from '../errors.ts';
import { hintFor } from '../text/did-you-mean.ts';
import { displayName, readSource } from '../source/source-file.ts';
import type { Issue } from '../types/issue.ts';
import { type AuditedRow, TABLE_AUDIT_SCHEMA, type TableAudit } from '../types/audit/table-audit.ts';
import { VERSION } from '../version.ts';
import { findTables } from './find-tables.ts';
import { findTwins } from './find-twins.ts';
import { judgeRow, type SearchBudget } from './judge-row.ts';
import type { PublishedTable } from './published-table.ts';
import { readTable } from './read-table.ts';
import { resolveRows, type TableReading } from './resolve-rows.ts';

/** Options of `auditTable()`. */
export interface AuditTableOptions extends TableReading {
  /** Files with tables, or folders of them. */
  readonly paths: readonly string[];
  /** What paths are relative to; default: the working folder. */
  readonly cwd?: string;
}

/** A table of results has no more bytes. */
const MAX_BYTES = 8 * 1024 * 1024;
const MOST_ROWS = 10_000;
/** What all rows together may try: half a minute or so. */
const ALL_STEPS = 50_000_000;

/**
 * Finds the integer histograms of successes behind published pass^1 … pass^n, or that there is none. Rejects with `INPUT`
 * and all problems of all files, or with `USAGE` for options that cannot be.
 */
export async function auditTable(options: AuditTableOptions): Promise<TableAudit> {
  const { paths, cwd = process.cwd() } = options;
  checkOptions(options);
  const { tables, issues } = readTables(paths, cwd);
  const resolved = tables.map((table) => resolveRows(table, options));
  const problems = [...issues, ...resolved.flatMap((one) => one.issues)];
  const rows = resolved.flatMap((one) => one.rows);
  if (problems.length === 0 && rows.length === 0) problems.push(nothing('No file has a row.', paths[0] ?? '.'));
  if (rows.length > MOST_ROWS) problems.push(nothing(`There are ${rows.length} rows; the limit is ${MOST_ROWS}.`, '.'));
  if (problems.length > 0) throw new PasskError('INPUT', 'The tables cannot be audited.', { issues: problems });
  checkDomains(options, tables);
  const budget: SearchBudget = { steps: ALL_STEPS };
  const audited = rows.map((row) => judgeRow(row, budget));
  const count = (verdict: AuditedRow['verdict']): number => audited.filter((row) => row.verdict === verdict).length;
  return {
    schema: TABLE_AUDIT_SCHEMA,
    passk: VERSION,
    summary: {
      rows: audited.length,
      unique: count('unique'),
      ambiguous: count('ambiguous'),
      impossible: count('impossible'),
      incomplete: count('incomplete'),
      undecided: count('undecided'),
    },
    rows: audited,
    twins: findTwins(audited, rows),
  };
}

/** The tables of all files, and every problem of those that hold none. */
function readTables(
  paths: readonly string[],
  cwd: string,
): { readonly tables: readonly PublishedTable[]; readonly issues: readonly Issue[] } {
  const { files, unreadable } = findTables(paths, cwd);
  const issues = unreadable.map((folder) =>
    nothing(`Folder "${displayName(folder, cwd)}" cannot be read.`, displayName(folder, cwd)),
  );
  const tables: PublishedTable[] = [];
  for (const { path, isNamed } of files) {
    const read = readSource(path, { root: cwd, maxBytes: MAX_BYTES });
    if (!read.ok) {
      // Its hint names a flag of other commands.
      issues.push(
        ...read.issues.map((issue) => (issue.code === 'file_too_large' ? { ...issue, hint: TOO_LARGE } : issue)),
      );
      continue;
    }
    const result = readTable(read.source);
    if (result.ok) tables.push(result.table);
    else if (isNamed || result.reason === 'problems') issues.push(...result.issues);
  }
  if (tables.length === 0 && issues.length === 0) {
    const folder = displayName(resolve(cwd, paths[0] ?? '.'), cwd);
    issues.push(nothing(`No file in "${folder}" has columns pass^1, pass^2, … or pass_1, pass_2, ….`, folder));
  }
  return { tables, issues };
}

const TOO_LARGE = 'Leave only the table in the file.';
const HINT = 'Name files with tables in JSON or CSV, or folders of them.';

function nothing(message: string, file: string): Issue {
  return { code: 'no_table', severity: 'error', message, at: { file, line: 1, column: 1 }, hint: HINT };
}

function checkOptions({ paths, tasks, domainTasks = {}, trials, decimals }: AuditTableOptions): void {
  if (paths.length === 0) throw new PasskError('USAGE', 'No file was named.', { hint: HINT });
  const counts = { tasks, trials, ...domainTasks };
  for (const [name, count] of Object.entries(counts)) {
    if (count === undefined || (Number.isSafeInteger(count) && count >= 1)) continue;
    throw new PasskError('USAGE', `"${name}" must be a whole number from 1, not ${String(count)}.`);
  }
  if (decimals === undefined || (Number.isSafeInteger(decimals) && decimals >= 0 && decimals <= MOST_DECIMALS)) return;
  throw new PasskError(
    'USAGE',
    `"decimals" must be a whole number from 0 to ${MOST_DECIMALS}, not ${String(decimals)}.`,
  );
}

const MOST_DECIMALS = 20;

/** A domain that no row has is a slip of the pen. */
function checkDomains({ domainTasks = {} }: AuditTableOptions, tables: readonly PublishedTable[]): void {
  const domains = [...new Set(tables.flatMap(({ rows }) => rows.map(({ domain }) => domain)))].filter(
    (one) => one !== '',
  );
  const unknown = Object.keys(domainTasks).find((domain) => !domains.includes(domain));
  if (unknown === undefined) return;
  const hint = hintFor(unknown, domains, 'domains');
  throw new PasskError('USAGE', `No row is of the domain "${unknown}".`, { hint });
}

/** 1: a row is impossible. 3: a complete row could not be decided, or none is complete. 0: every complete row is possible. */
export function auditExitCode({ summary }: Pick<TableAudit, 'summary'>): 0 | 1 | 3 {
  if (summary.impossible > 0) return 1;
  return summary.undecided > 0 || summary.unique + summary.ambiguous === 0 ? 3 : 0;
}
