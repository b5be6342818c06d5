import { firstNames } from '../text/first-names.ts';
import { formatCount, plural } from '../text/format-number.ts';
import { GIVEN_UP } from '../types/issue.ts';
import type { Issue } from '../types/issue.ts';
import type { SampledScenario } from '../types/reports/scenario-report.ts';

/** Scenarios that are named; others are counted. */
const MOST_NAMES = 5;

/** Says that trials were not run, and of which scenarios; [] where all were. It stands at the top of every report. */
export function givenUpNotice(reports: readonly Pick<SampledScenario, 'name' | 'notRun'>[]): readonly Issue[] {
  const givenUp = reports.filter(({ notRun = 0 }) => notRun > 0);
  if (givenUp.length === 0) return [];
  const trials = givenUp.reduce((sum, { notRun = 0 }) => sum + notRun, 0);
  const names = givenUp.map(({ name, notRun = 0 }) => `"${name}": ${formatCount(notRun)}`);
  return [
    {
      code: GIVEN_UP,
      severity: 'warning',
      message: `${plural(trials, 'trial')} of ${plural(givenUp.length, 'scenario')} ${trials === 1 ? 'was' : 'were'} not run, because too many trials before them ended their workers or never ended (${firstNames(names, MOST_NAMES)}).`,
      hint: 'They are broken, and stay in every denominator. The causes stand with each scenario.',
    },
  ];
}
