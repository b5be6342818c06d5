import { PasskError } from '../../errors.ts';
import type { Scenario } from '../../types/scenario.ts';
import { judgingModules } from '../../types/scenarios/judging-code.ts';

/** Throws `USAGE` where modules of the user judge: no replay runs code that would have to be granted. */
export function refuseRecordedModules({ expected, file }: Scenario): void {
  if (judgingModules(expected).length === 0) return;
  throw new PasskError('USAGE', `${file} has checks that are modules, which no replay runs.`, {
    hint: 'Leave --record and --replay away, or these.',
  });
}
