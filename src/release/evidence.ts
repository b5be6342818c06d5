import type { Candidate, EvalBody, EvalScenario } from '../types/release/eval-body.ts';
import type { MergedRecord } from '../types/release/other-records.ts';
import type { BillingStatement } from '../types/release/billing-facts.ts';
import type { TrialLine } from '../types/release/trial-line.ts';

/** A scenario without what its trials say. */
export type PlannedEvidence = Omit<
  EvalScenario,
  'passed' | 'failed' | 'errors' | 'retries' | 'nanoUsd' | 'firstFailures'
>;

/**
 * Everything that a release is judged by: what was asked, and its trials. Whoever verifies a record takes the first from
 * the record and the second from the file beside it, and judges again.
 */
export interface ReleaseEvidence
  extends Pick<
    EvalBody,
    'tier' | 'release' | 'asOf' | 'engine' | 'rules' | 'rateCard' | 'results' | 'audit' | 'prior' | 'canary' | 'partial'
  > {
  readonly candidate: Candidate;
  /** Absent: no scenario was generated. */
  readonly generated?: EvalBody['generated'];
  /** Absent: no other record was given. */
  readonly merged?: readonly MergedRecord[];
  /** Absent: no bill was given. */
  readonly billing?: BillingStatement;
  /** By hash. */
  readonly scenarios: readonly PlannedEvidence[];
  /** By scenario hash, then by trial. */
  readonly trials: Iterable<TrialLine>;
}

/** A scenario with its trials. */
export interface TriedScenario extends EvalScenario {
  readonly trials: readonly TrialLine[];
}
