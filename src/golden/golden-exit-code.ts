import type { GoldenReport } from '../types/golden/golden-report.ts';

/** The exit code of `passk golden run`: 0 passed, 1 failed, 3 not enough evidence. */
export function goldenExitCode({ verdict }: Pick<GoldenReport, 'verdict'>): 0 | 1 | 3 {
  return { pass: 0, fail: 1, insufficient: 3 }[verdict] as 0 | 1 | 3;
}
