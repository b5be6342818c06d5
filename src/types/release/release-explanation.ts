import type { GateVerdict } from '../reports/gate.ts';
import type { Amount, Count } from '../numbers.ts';
import type { Axis, Tier } from './release-rules.ts';
import type { Sha256 } from './trial-line.ts';

export const RELEASE_EXPLANATION_SCHEMA = 'passk.release-explanation/1';

/** What would have to change for a release to pass, and what that costs in trials. */
export interface ReleaseExplanation {
  /** Names the shape of the document. */
  readonly schema: typeof RELEASE_EXPLANATION_SCHEMA;
  /** Of the record that it explains. */
  readonly bodyHash: Sha256;
  /** Name and version of what was tried. */
  readonly candidate: string;
  /** The tier that was asked for. */
  readonly tier: Tier;
  /** Whether it was released. */
  readonly verdict: GateVerdict;
  /** In the order of the axes, governance last; []: every axis passed. */
  readonly changes: readonly ReleaseChange[];
  /** Trials of all changes that decide and are a matter of trials. */
  readonly trials: Count;
  /** What a trial of the record cost on average, judges and simulated users included; null: something has no price. */
  readonly usdPerTrial: Amount | null;
}

/** What stands in the way of a pass. */
export interface ReleaseChange {
  /** The axis that is in the way. */
  readonly axis: Axis | 'governance';
  /** True: it does not decide. */
  readonly isAdvisory: boolean;
  /** What it says now. */
  readonly verdict: Exclude<GateVerdict, 'pass'>;
  /** Of the reason in the record, in capitals. */
  readonly code: string;
  /** What the record says. */
  readonly reason: string;
  /** What would have to change, in words. */
  readonly change: string;
  /** Trials to run beside those of the record, 0: none; null: no number of trials of this candidate is known to do. */
  readonly trials: Count | null;
}
