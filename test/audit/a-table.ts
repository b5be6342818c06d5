import { findTwins } from '../../src/audit/find-twins.ts';
import { judgeRow } from '../../src/audit/judge-row.ts';
import { readTable } from '../../src/audit/read-table.ts';
import { resolveRows, type TableReading } from '../../src/audit/resolve-rows.ts';
import { binomialCoefficients, type SuccessHistogram } from '../../src/stats/success-histogram.ts';
import type { AuditedRow } from '../../src/types/audit/table-audit.ts';
import { aSource, brief } from '../source/parsed.ts';

/** The rows of a text that holds a table without a problem. */
export function auditText(
  text: string,
  reading: TableReading = {},
): { readonly rows: readonly AuditedRow[]; readonly twins: readonly (readonly number[])[] } {
  const result = readTable(aSource(text, 'a.csv'));
  if (!result.ok) throw new Error(brief(result.issues).join('\n'));
  const { rows, issues } = resolveRows(result.table, reading);
  if (issues.length > 0) throw new Error(brief(issues).join('\n'));
  const budget = { steps: 10_000_000 };
  const audited = rows.map((row) => judgeRow(row, budget));
  return { rows: audited, twins: findTwins(audited, rows) };
}

/** All problems of a text, those of its table as a whole included. */
export function problemsOf(text: string, reading: TableReading = {}): readonly string[] {
  const result = readTable(aSource(text, 'a.csv'));
  return brief(result.ok ? resolveRows(result.table, reading).issues : result.issues);
}

/** pass^1 … pass^n of a histogram as whole numbers: sums and what they are divided by. */
export function passHatSums(histogram: SuccessHistogram): readonly { readonly sum: bigint; readonly of: bigint }[] {
  const choose = binomialCoefficients(histogram.length - 1);
  const tasks = histogram.reduce((sum, count) => sum + count, 0);
  return histogram.slice(1).map((_, i) => ({
    sum: BigInt(histogram.reduce((sum, count, passed) => sum + count * (choose[passed]?.[i + 1] ?? 0), 0)),
    of: BigInt(tasks * (choose.at(-1)?.[i + 1] ?? 0)),
  }));
}

/** `sum / of · whole`, rounded half up to so many decimals, with all of them. */
export function printed(
  { sum, of }: { readonly sum: bigint; readonly of: bigint },
  whole: bigint,
  decimals: number,
): string {
  const scaled = (2n * sum * whole * 10n ** BigInt(decimals) + of) / (2n * of);
  const text = String(scaled).padStart(decimals + 1, '0');
  return decimals === 0 ? text : `${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
}
