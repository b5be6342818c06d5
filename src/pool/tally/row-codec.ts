import { KEPT_VERDICTS, type KeptRecord, TallyRows } from '../../trial/tally/tally-rows.ts';
import type { TallyShape } from '../../trial/tally/tally-shape.ts';
import { LEDGER_KINDS, type LedgerLine } from '../../types/record.ts';
import { COUNTERS } from '../../types/trial.ts';
import type { TallyRow } from '../../types/rows/tally-row.ts';
import { checkedCount, corrupt } from './packed-numbers.ts';
import { jsonIn } from '../../values/json-in.ts';

const VERDICTS = ['passed', 'failed', 'broken'] as const satisfies readonly TallyRow['verdict'][];
const USAGE = [
  'promptTokens',
  'completionTokens',
  'cachedTokens',
  'cacheWriteTokens',
  'reasoningTokens',
] as const satisfies readonly (keyof NonNullable<LedgerLine['usage']>)[];
/** Values of a row, and of a line of its ledger. */
const ROW = 9;
const LINE = 6;
/** Characters of a cause or a name that are kept. */
const MAX_TEXT = 2000;
/** Bytes of a record that was cut. */
const MAX_RECORD = 256 * 1024;

/** One list for each trial, in the order of trials, after the records that are kept; null: rows are not kept. */
export function packRows(rows: TallyRows | null): readonly unknown[] | null {
  if (rows === null) return null;
  const packed = rows
    .list()
    .map((row) => [
      row.trial,
      VERDICTS.indexOf(row.verdict),
      row.failed,
      row.cause?.slice(0, MAX_TEXT) ?? null,
      row.task,
      row.attempt,
      row.counters,
      row.ledger.flatMap(packLine),
      row.calls,
    ]);
  const { firstRecords } = rows;
  if (firstRecords === null) return packed;
  const records = KEPT_VERDICTS.map((verdict) => firstRecords[verdict]);
  return [...records.map((record) => (record === null ? null : [record.trial, record.text])), ...packed];
}

/** The rows that `packRows` packed; throws `INTEGRITY` for anything else. */
export function unpackRows(value: unknown, { rows: hasRows, firstRecords, checks }: TallyShape): TallyRows | null {
  if (value === null && hasRows !== true) return null;
  if (hasRows !== true || !Array.isArray(value)) throw corrupt('rows are no list of trials');
  const rows = new TallyRows({ keepsRecords: firstRecords === true });
  const records = rows.firstRecords;
  if (records !== null)
    for (const [at, verdict] of KEPT_VERDICTS.entries()) records[verdict] = unpackRecord(value[at] ?? null);
  let last = -1;
  for (const packed of value.slice(records === null ? 0 : KEPT_VERDICTS.length) as readonly unknown[]) {
    const row = unpackRow(packed, checks);
    if (row.trial <= last) throw corrupt('rows are not in order');
    last = row.trial;
    rows.entries.set(row.trial, row);
  }
  return rows;
}

function unpackRecord(packed: unknown): KeptRecord | null {
  if (packed === null) return null;
  const [trial, text] = listOf(packed);
  const isText = typeof text === 'string' && text.length <= MAX_RECORD;
  if (!isText || Object(jsonIn(text)).trial !== trial) throw corrupt('the record that is kept is unreadable');
  return { trial: checkedCount(trial, 'rows', 2 ** 32), text };
}

function packLine({ kind, name, attempt, units, usage, nanoUsd }: LedgerLine): readonly unknown[] {
  return [
    LEDGER_KINDS.indexOf(kind),
    name.slice(0, MAX_TEXT),
    attempt,
    units,
    usage === null ? null : USAGE.map((part) => usage[part]),
    nanoUsd,
  ];
}

function unpackRow(packed: unknown, checks: number): TallyRow {
  if (!Array.isArray(packed) || packed.length !== ROW) throw corrupt('a row is not the list of its values');
  const [trial, verdict, failed, cause, task, attempt, counters, ledger, calls] = packed as readonly unknown[];
  const name = VERDICTS[checkedCount(verdict, 'rows', VERDICTS.length - 1)];
  if (name === undefined) throw corrupt('a row has no verdict');
  const counts = listOf(counters);
  if (counts.length !== COUNTERS.length) throw corrupt(`a row has ${counts.length} counters`);
  const lines = listOf(ledger);
  if (lines.length % LINE !== 0) throw corrupt('a row has a line that is cut');
  return {
    trial: checkedCount(trial, 'rows', 2 ** 32),
    verdict: name,
    failed: listOf(failed).map((check) => checkedCount(check, 'rows', checks - 1)),
    cause: textOrNull(cause),
    task: textOrNull(task),
    attempt: countOrNull(attempt),
    counters: counts.map(countOrNull),
    ledger: Array.from({ length: lines.length / LINE }, (_, at) => unpackLine(lines.slice(at * LINE, (at + 1) * LINE))),
    calls: textOrNull(calls),
  };
}

function unpackLine([kind, name, attempt, units, usage, nanoUsd]: readonly unknown[]): LedgerLine {
  const word = LEDGER_KINDS[checkedCount(kind, 'rows', LEDGER_KINDS.length - 1)];
  if (word === undefined || typeof name !== 'string') throw corrupt('a row has a line without a name');
  return {
    kind: word,
    name,
    attempt: checkedCount(attempt, 'rows', Number.MAX_SAFE_INTEGER),
    units: amount(units),
    usage: usage === null ? null : unpackUsage(usage),
    nanoUsd: nanoUsd === null ? null : amount(nanoUsd),
  };
}

function unpackUsage(value: unknown): LedgerLine['usage'] {
  const parts = listOf(value);
  if (parts.length !== USAGE.length) throw corrupt('a row has a line with part of its usage');
  const counts = USAGE.map((part, at) => [part, checkedCount(parts[at], 'rows', Number.MAX_SAFE_INTEGER)] as const);
  // Every part has its count.
  return Object.fromEntries(counts) as unknown as LedgerLine['usage'];
}

function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value as readonly unknown[];
  throw corrupt('a row has no list where one belongs');
}

function countOrNull(value: unknown): number | null {
  return value === null ? null : checkedCount(value, 'rows', Number.MAX_SAFE_INTEGER);
}

function textOrNull(value: unknown): string | null {
  if (value === null || typeof value === 'string') return value;
  throw corrupt('a row has no text where one belongs');
}

/** Units and prices may be fractions. */
function amount(value: unknown): number {
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value;
  throw corrupt('a row has no amount where one belongs');
}
