import { plural } from '../../report/format-number.ts';
import type { Issue } from '../../types/issue.ts';
import type { Scenario } from '../../types/scenario.ts';

/** Scenarios that are named; others are counted. */
const MOST_NAMES = 3;

/** Says of which scenarios the calls decide, because their files say so: how a task was solved is advice everywhere else. */
export function trajectoryNotices(scenarios: readonly Pick<Scenario, 'name' | 'expected'>[]): readonly Issue[] {
  const deciding = scenarios.filter(({ expected }) => expected.gold?.counts === true);
  if (deciding.length === 0) return [];
  const names = deciding.slice(0, MOST_NAMES).map(({ name }) => `"${name}"`);
  const more = deciding.length - names.length;
  if (more > 0) names.push(`${plural(more, 'scenario')} more`);
  return [
    {
      code: 'trajectory_decides',
      severity: 'warning',
      message: `Which calls are made decides ${plural(deciding.length, 'scenario')}, because counts = true stands with the gold calls (${names.join(', ')}). A task can be solved in more than one way.`,
      hint: 'Read what fails before a gate rests on it.',
    },
  ];
}
