import { firstNames } from '../../text/first-names.ts';
import { plural } from '../../text/format-number.ts';
import type { Issue } from '../../types/issue.ts';
import type { Scenario } from '../../types/scenario.ts';

/** Scenarios that are named; others are counted. */
const MOST_NAMES = 3;

/** Says of which scenarios the calls decide, because their files say so: how a task was solved is advice everywhere else. */
export function trajectoryNotices(scenarios: readonly Pick<Scenario, 'name' | 'expected'>[]): readonly Issue[] {
  const deciding = scenarios.filter(({ expected }) => expected.gold?.counts === true);
  if (deciding.length === 0) return [];
  const names = deciding.map(({ name }) => `"${name}"`);
  return [
    {
      code: 'trajectory_decides',
      severity: 'warning',
      message: `Which calls are made decides ${plural(deciding.length, 'scenario')}, because counts = true stands with the gold calls (${firstNames(names, MOST_NAMES)}). A task can be solved in more than one way.`,
      hint: 'Read what fails before a gate rests on it.',
    },
  ];
}
