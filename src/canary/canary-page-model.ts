import type { Gauge } from '../report/sections/panel.ts';
import type { RehearsedExposure, RehearsedMoment } from '../types/canary/canary-rehearsal.ts';
import type { CanaryPoint, CanaryStageReport, CriterionState } from '../types/canary/canary-report.ts';

/** A rollout as the page reads it: texts of others are safe to show. */
export interface CanaryPage {
  readonly page: 'canary';
  readonly passk: string;
  readonly title: string;
  readonly about: string;
  readonly state: string;
  readonly role: 'good' | 'warn' | 'bad';
  readonly notes: readonly string[];
  readonly stages: readonly CanaryPageStage[];
}

export interface CanaryPageStage {
  readonly name: string;
  readonly state: CanaryStageReport['state'];
  readonly counts: string;
  readonly criteria: readonly { readonly name: string; readonly state: CriterionState; readonly text: string }[];
  readonly floor: number;
  /** Of the cost per success, in USD; null: it is not judged. */
  readonly ceiling: number | null;
  readonly points: readonly CanaryPoint[];
}

/** A rehearsal as the page reads it. */
export interface RehearsalPage {
  readonly page: 'rehearsal';
  readonly passk: string;
  readonly title: string;
  readonly about: string;
  readonly candidates: readonly RehearsalPageCandidate[];
}

export interface RehearsalPageCandidate {
  readonly name: string;
  readonly assumed: string;
  readonly isBad: boolean;
  readonly released: string;
  /** The same drawn. */
  readonly releasedGauge: Gauge;
  readonly rolledBack: string;
  /** Median hours until it is released, or taken back; null: it never is. */
  readonly hours: { readonly released: number | null; readonly rolledBack: number | null };
  /** Mean, and what 95 % of rollouts stay within. */
  readonly exposed: readonly [number, number];
  readonly failed: readonly [number, number];
  readonly ends: readonly string[];
  readonly moments: readonly RehearsedMoment[];
  readonly exposure: readonly RehearsedExposure[];
}
