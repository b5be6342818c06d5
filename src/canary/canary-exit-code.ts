import type { CanaryReport } from '../types/canary/canary-report.ts';

/** The exit code of a rollout: 0 promoted or released, 1 taken back or refused, 3 not enough evidence. */
export function canaryExitCode({ state, decision }: Pick<CanaryReport, 'state' | 'decision'>): 0 | 1 | 3 {
  if (state === 'rolled_back' || state === 'refused') return 1;
  return state === 'released' || decision === 'promote' ? 0 : 3;
}
