import { plural } from '../../text/format-number.ts';
import { formatRate } from '../../text/format-rate.ts';
import { REPLAY_MISS } from '../../values/replay-miss.ts';
import type { Issue } from '../../types/issue.ts';
import { ratedTrials, type SampledScenario } from '../../types/reports/scenario-report.ts';

/** Says how many trials asked for what was never recorded, and their share; [] where none did. */
export function replayMissNotice(reports: readonly SampledScenario[]): readonly Issue[] {
  const misses = reports.reduce((sum, { replayMisses }) => sum + (replayMisses?.count ?? 0), 0);
  if (misses === 0) return [];
  const missing = reports.filter(({ replayMisses }) => replayMisses !== undefined).length;
  const ran = reports.reduce((sum, report) => sum + ratedTrials(report).ran, 0);
  return [
    {
      code: REPLAY_MISS,
      severity: 'warning',
      message: `${plural(misses, 'trial')} of ${plural(missing, 'scenario')} asked for what was never recorded: ${formatRate(misses / ran)} of all trials. Nothing was asked outside.`,
      hint: 'These trials are broken, which says nothing about the subject. Their causes name what was asked.',
    },
  ];
}
