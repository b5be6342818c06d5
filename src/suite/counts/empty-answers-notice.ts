import { formatCount, plural } from '../../report/format-number.ts';
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
  const names = parts.slice(0, MOST_NAMES).map(({ name }) => JSON.stringify(name));
  const more = parts.length - names.length;
  const [empty, passed] = [sum(parts.map((part) => part.empty)), sum(parts.map((part) => part.passed))];
  return [
    {
      code: 'agent_empty',
      severity: 'warning',
      message: `${formatCount(empty)} of ${plural(passed, 'passing trial')} had an empty answer of the agent, in ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`,
      hint: 'A check that something is absent passes with them: say what must be there, too.',
    },
  ];
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
