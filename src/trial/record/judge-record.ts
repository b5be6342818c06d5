import type { Check } from '../../checks/check.ts';
import { disobeyedIn, rulingsOf } from '../../checks/rulings-of.ts';
import type { Finding } from '../../types/reports/finding.ts';
import type { TrialRecord } from '../../types/record.ts';
import { messageOf } from '../../values/message-of.ts';
import { isTooMuchWork } from '../../values/work.ts';
import { silentJudge } from '../judged/silent-judge.ts';
import { RecordView } from './record-view.ts';

/** What checks made of a record. */
export interface JudgedRecord {
  /** Why the harness failed; null: it did not. */
  readonly brokenBy: string | null;
  /** Of each check a sum of `RULING` bits; [] where the trial is broken. */
  readonly rulings: readonly number[];
  /** Positions of the checks that were disobeyed, ascending. */
  readonly failed: readonly number[];
  readonly findings: readonly Finding[];
}

/** Judges a record as it is, uncut; under `withWork` it throws `TooMuchWork` for what takes more. `nodeIds`: top-level nodes by position; [] where the subject is no workflow. */
export function judgeRecord(
  record: TrialRecord,
  { checks, nodeIds }: { readonly checks: readonly Check[]; readonly nodeIds: readonly string[] },
): JudgedRecord {
  const { ending } = record;
  if (ending.status === 'broken') return broken(ending.reason);
  const silent = silentJudge(record.rulings);
  if (silent !== null) return broken(silent);
  const view = new RecordView(record, nodeIds);
  try {
    const rulings = rulingsOf(checks, view);
    const failed = disobeyedIn(rulings) ?? [];
    const findings = failed.flatMap((at) => checks[at]?.explain(view) ?? []);
    return { brokenBy: null, rulings, failed, findings };
  } catch (error) {
    if (isTooMuchWork(error)) throw error;
    return broken(`a check failed to run: ${messageOf(error)}`);
  }
}

function broken(brokenBy: string): JudgedRecord {
  return { brokenBy, rulings: [], failed: [], findings: [] };
}
