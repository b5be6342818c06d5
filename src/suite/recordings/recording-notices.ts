import type { ResolvedRunOptions } from '../../settings/options.ts';
import { alwaysPasses } from '../../gate/always-passes.ts';
import type { Issue } from '../../types/issue.ts';
import { isSampled, type ScenarioReport } from '../../types/reports/scenario-report.ts';

/** What a reader of recorded runs must know. */
export function recordingNotices(
  reports: readonly ScenarioReport[],
  { gates, minPassRate }: Pick<ResolvedRunOptions, 'gates' | 'minPassRate'>,
): readonly Issue[] {
  const recorded = reports
    .filter(isSampled)
    .flatMap(({ name, recording, minPassRate: bar }) => (recording === undefined ? [] : [{ name, recording, bar }]));
  if (recorded.length === 0) return [];
  const isJudged =
    gates.some((gate) => !alwaysPasses(gate)) || (minPassRate ?? 0) > 0 || recorded.every(({ bar }) => (bar ?? 1) > 0);
  const mixed = recorded.filter(({ recording }) => recording.repeated > 0);
  return [
    ...(isJudged ? [] : [NO_BAR]),
    ...mixed.map(({ name, recording: { repeated } }): Issue => {
      const many = `${repeated} run${repeated === 1 ? ' has' : 's have'}`;
      return {
        code: 'repeated_attempts',
        severity: 'warning',
        message: `"${name}": ${many} the number of another attempt at the same task, so several sets may have been taken for one.`,
        hint: 'Score each set by itself.',
      };
    }),
  ];
}

const NO_BAR: Issue = {
  code: 'no_bar',
  severity: 'warning',
  message: 'Nobody says what recorded runs must reach, so nothing here can fail.',
  hint: "Give a gate such as --gate 'pass^4 >= 0.9', or --min-pass-rate.",
};
