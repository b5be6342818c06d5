import { formatCount, plural } from '../../text/format-number.ts';
import type { Issue } from '../../types/issue.ts';
import type { SampledScenario } from '../../types/reports/scenario-report.ts';

/** Says of how many sessions nobody knows the tokens, which count as 0 beside others; [] of none. */
export function silentTrialsNotice(
  reports: readonly Pick<SampledScenario, 'name' | 'session' | 'trials'>[],
): readonly Issue[] {
  return reports.flatMap(({ name, session, trials }) => {
    const silent = session?.silentTrials;
    if (silent === undefined) return [];
    return {
      code: 'silent_trials',
      severity: 'warning' as const,
      message: `"${name}": in ${formatCount(silent)} of ${plural(trials.executed, 'trial')} the agent told no tokens. They count as 0 there.`,
      hint: 'That is too little where it had asked a model before it failed. What an agent outside asks at {model_url} is counted by passk itself.',
    };
  });
}
