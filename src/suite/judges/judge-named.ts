import { PasskError } from '../../errors.ts';
import { hintFor } from '../../text/did-you-mean.ts';
import type { JudgeSetting } from '../../types/judges/judge.ts';

/** The judge of this name, to be asked. Throws `USAGE` where there is none. */
export function judgeNamed(name: string, judges: readonly JudgeSetting[]): JudgeSetting {
  const setting = judges.find((judge) => judge.name === name);
  if (setting !== undefined) return setting;
  const names = judges.map((judge) => judge.name);
  throw new PasskError('USAGE', `"${name}" is none of the judges, so that it cannot be asked.`, {
    hint: names.length === 0 ? 'Declare it as [[judges]] in passk.toml.' : hintFor(name, names, 'judges'),
  });
}
