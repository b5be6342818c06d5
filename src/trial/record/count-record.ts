import type { TrialRecord } from '../../types/record.ts';
import { COUNTERS, type CounterName, STATUSES, STOPS } from '../../types/trial.ts';
import { bitOf } from '../../engine/note-answer.ts';
import { detailText } from '../failure-detail.ts';
import type { LowestTrials } from '../lowest-trials.ts';
import { ALL_TOLD, TOLD_BY_AGENTS } from '../tally/session-counts.ts';
import type { Tally } from '../tally/tally.ts';
import type { CountedTrails } from './counted-trails.ts';
import { cutRecord } from './cut-record.ts';
import { sessionTrail } from '../session/session-trail.ts';
import { noteRetries } from '../note-retries.ts';
import { firedFaults } from './fired-faults.ts';
import { JUDGE_BACKEND } from '../../types/judges/judge.ts';
import { silentJudge } from '../judged/silent-judge.ts';
import type { JudgedRecord } from './judge-record.ts';

export interface RecordCounting {
  /** Declared faults, in the order of the tally. */
  readonly faults: readonly string[];
  /** Failing trials so far: the lowest are kept with their records. */
  readonly lowest: LowestTrials;
  /** Sessions whose calls are kept already. */
  readonly trails: CountedTrails;
  /** True: nobody but the subject knows what its models took, and it need not tell. */
  readonly mayBeSilent: boolean;
}

/** Folds a trial that has been judged by its record into the tally. */
export function countRecord(
  record: TrialRecord,
  judged: JudgedRecord,
  tally: Tally,
  { faults, lowest, trails, mayBeSilent }: RecordCounting,
): void {
  const { trial, ending } = record;
  countTask(record, judged, tally);
  countRow(record, tally);
  tally.addCounters(
    trial,
    COUNTERS.map((name) => record.counters[name] ?? 0),
  );
  tally.markUntold(trial, untoldIn(record, tally.tasks !== null));
  // A session that broke tells nothing either: where all of them broke, nobody knows what the agent's models took.
  tally.sessions?.tell(mayBeSilent ? record.counters : ALL_TOLD);
  tally.judges?.add(
    record.rulings ?? [],
    ending.status === 'broken' || judged.brokenBy !== null ? null : judged.failed.length,
  );
  if (faults.length > 0) tally.strikes.add(strikesOf(record, faults));
  if (record.session?.user !== undefined) tally.sessions?.addUser(record.session.user);
  const isBroken = ending.status === 'broken' || judged.brokenBy !== null;
  if (record.retries !== undefined) noteRetries(tally, record.retries, !isBroken && judged.failed.length === 0);
  if (isBroken) {
    tally.markBroken(trial, judged.brokenBy ?? ending.reason ?? '');
  } else {
    for (const [at, ruling] of judged.rulings.entries()) tally.strikes.addRuling(at, ruling);
    countOne(tally.statuses, STATUSES.indexOf(ending.status));
    if (ending.stoppedBy !== null) countOne(tally.stops, STOPS.indexOf(ending.stoppedBy));
    const passed = judged.failed.length === 0;
    if (record.session !== undefined) tally.sessions?.add(record.session, record.calls?.length ?? 0, passed);
    const mutated = record.session?.mutated;
    if (mutated !== undefined) tally.sessions?.addMutated(mutated, passed);
    if (trails.mayBeLowest(passed, trial)) tally.sessions?.keepTrail(passed, trial, () => sessionTrail(record));
    if (passed) {
      tally.markPassed(trial);
      tally.rows?.keep('passed', trial, () => cutRecord(record));
      observe(record, tally);
      return;
    }
    tally.markFailed(trial, judged.failed);
    tally.rows?.keep('failed', trial, () => cutRecord(record));
  }
  if (!tally.wantsDetail(trial)) return;
  const detail = lowest.add(trial) ? { record: cutRecord(record) } : {};
  tally.show(trial, detailText({ ...shownOf(record, judged, faults.length > 0), ...detail }));
}

/** Positions of the counters that the trial does not tell; `isRecorded`: passk did not run it, and knows only what it tells. */
function untoldIn({ ending, counters, session }: TrialRecord, isRecorded: boolean): readonly number[] {
  const absent = (names: readonly CounterName[]): readonly number[] =>
    names.flatMap((name) => (counters[name] === undefined ? [COUNTERS.indexOf(name)] : []));
  if (isRecorded) return absent(COUNTERS);
  // What broke before its end has told all that anybody knows. A session in which no model was seen may have asked none.
  if (ending.status === 'broken' || (session !== undefined && (counters.llmCalls ?? 0) === 0)) return [];
  return absent(TOLD_BY_AGENTS);
}

/** Adds the trial to its task, where it is an attempt at one. */
function countTask(
  { trial, ending, counters, ledger, recording, rulings }: TrialRecord,
  judged: JudgedRecord,
  tally: Tally,
): void {
  // A judge of ours that says nothing is no error of the run: it says nothing about the task, as if it had not been read.
  if (recording === undefined || silentJudge(rulings) !== null) return;
  const isBroken = ending.status === 'broken' || judged.brokenBy !== null;
  tally.tasks?.add(recording.task, {
    trial,
    verdict: isBroken ? 'broken' : judged.failed.length === 0 ? 'passed' : 'failed',
    tokens: counters.llmTokens ?? null,
    nanoUsd: sumOf(ledger.flatMap(({ name, nanoUsd }) => (name.startsWith(JUDGE_BACKEND) ? [] : [nanoUsd]))),
    attempt: recording.attempt,
    ...(recording.crossed !== undefined && { crossed: recording.crossed }),
  });
}

/** The row of the trial, where rows are kept; its verdict is marked with the others. */
function countRow(record: TrialRecord, { rows }: Tally): void {
  if (rows === null) return;
  const { trial, ledger, recording, session } = record;
  rows.spend(trial, ledger);
  if (session !== undefined) rows.call(trial, sessionTrail(record).digest);
  if (recording !== undefined) rows.attempt(trial, recording.task, recording.attempt);
}

/** Null: nothing was priced, or not all of it. */
function sumOf(prices: readonly (number | null)[]): number | null {
  if (prices.length === 0) return null;
  let sum = 0;
  for (const price of prices) {
    if (price === null) return null;
    sum += price;
  }
  return sum;
}

function shownOf(record: TrialRecord, { brokenBy, findings }: JudgedRecord, hasFaults: boolean) {
  const { trial, ending } = record;
  const { status, stoppedBy, reason } =
    brokenBy !== null || ending.status === 'broken' ? { status: null, stoppedBy: null, reason: null } : ending;
  return {
    trial,
    verdict: brokenBy === null ? ('failed' as const) : ('broken' as const),
    findings,
    path: record.workflow?.path ?? [],
    status,
    stoppedBy,
    reason,
    brokenBy,
    ...(hasFaults && { fired: firedFaults(record) }),
  };
}

function countOne(counts: number[], at: number): void {
  counts[at] = (counts[at] ?? 0) + 1;
}

/** Whoever calls tools in a session is a model: what policy denied there, its words had aimed at. */
function observe({ session, calls }: TrialRecord, tally: Tally): void {
  if (session === undefined || calls?.some(({ denied }) => denied) !== true) return;
  for (const bit of DENIED_BITS) tally.observedHigh |= 1 << (bit - 32);
}

/** Both lie in the second half of the matrix. */
const DENIED_BITS = [bitOf('policy_mcp'), bitOf('security_injection')];

/** How often each declared fault fired, and which tools were called under them. */
function strikesOf({ struck, calls }: TrialRecord, faults: readonly string[]) {
  const fired = new Map((struck ?? []).map((strike) => [strike.fault, strike.fired]));
  const tools = (calls ?? []).flatMap(({ port, names, denied }) =>
    port === 'tool' && !denied ? names.slice(0, 1) : [],
  );
  return { fired: faults.map((fault) => fired.get(fault) ?? 0), calls: new Set(tools) };
}
