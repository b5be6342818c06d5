import { EMPTY_HINT } from '../../host/agent-notices.ts';
import { formatCount, plural } from '../../text/format-number.ts';
import { sumOf } from '../../stats/mean.ts';
import { firstNames } from '../../text/first-names.ts';
import type { Issue } from '../../types/issue.ts';
import type { SampledScenario } from '../../types/reports/scenario-report.ts';

const MOST_NAMES = 3;

/** Says how many sessions passed although the agent answered without a word; [] where none did. */
export function emptyAnswersNotice(
  reports: readonly Pick<SampledScenario, 'name' | 'session' | 'trials'>[],
): readonly Issue[] {
  const parts = reports.flatMap(({ name, session, trials }) =>
    session?.passedEmpty === undefined ? [] : [{ name, empty: session.passedEmpty, passed: trials.passed }],
  );
  if (parts.length === 0) return [];
  const names = parts.map(({ name }) => JSON.stringify(name));
  const [empty, passed] = [sumOf(parts.map((part) => part.empty)), sumOf(parts.map((part) => part.passed))];
  return [
    {
      code: 'agent_empty',
      severity: 'warning',
      message: `${formatCount(empty)} of ${plural(passed, 'passing trial')} had an empty answer of the agent, in ${firstNames(names, MOST_NAMES)}.`,
      hint: EMPTY_HINT,
    },
  ];
}
