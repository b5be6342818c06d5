import { PasskError } from '../../errors.ts';
import { isJudged } from '../../types/judges/named-judges.ts';
import type { Scenario } from '../../types/scenario.ts';

/** Throws `USAGE` for a scenario with a judge: a record holds verdicts trial by trial, which nobody corrects for what a judge gets wrong. */
export function refuseJudged(scenarios: readonly Pick<Scenario, 'name' | 'file' | 'expected'>[]): void {
  const judged = scenarios.find(({ expected }) => isJudged(expected));
  if (judged === undefined) return;
  throw new PasskError(
    'USAGE',
    `Scenario "${judged.name}" (${judged.file}) is judged by a model, whose verdicts a release would take as they are.`,
    {
      hint: 'Leave it out of the release, and hold it to gates of passk run, which correct for what the judge gets wrong.',
    },
  );
}
