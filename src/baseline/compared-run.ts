import type { DriftReport } from '../types/reports/drift.ts';
import type { SeedWords } from '../types/plan.ts';
import type { Sampler } from '../types/scenario.ts';
import type { SessionTrail } from '../types/sessions/session-trail.ts';

/** A run as far as it can be compared, from whatever file it came; null: the file does not say. */
export interface ComparedRun {
  readonly kind: DriftReport['baseline']['kind'];
  readonly passk: string | null;
  readonly seed: number | null;
  readonly scenarios: readonly ComparedScenario[];
}

export interface ComparedScenario {
  readonly name: string;
  readonly file: string | null;
  readonly trials: number;
  readonly passed: number;
  readonly broken: number;
  /** Trials beside these that a simulated user spoilt. */
  readonly spoilt: number;
  /** Passed over trials, or what the file says of a run without counts. */
  readonly passRate: number | null;
  readonly tokens: { readonly total: number; readonly squared: bigint | null; readonly trials: number } | null;
  readonly costPerSuccess: number | null;
  /** What pairs its trials with those of another run; null: cannot be paired. */
  readonly draws: {
    readonly sampler: Sampler;
    readonly words: SeedWords;
    readonly digest: string;
    readonly pure: boolean;
    readonly live: boolean;
    readonly constant: boolean;
    readonly whole: boolean;
    /** True: it ended when its verdict was settled. */
    readonly stopped: boolean;
    readonly verdicts: Uint8Array;
  } | null;
  /** The first trials that failed; absent: none did, or nobody says. */
  readonly failedFirst?: readonly number[];
  /** What a session called that passed, and one that failed; null: nobody says. */
  readonly calls: { readonly passed: SessionTrail | null; readonly failed: SessionTrail | null };
}
