import { PasskError } from '../errors.ts';
import type { ProcessCode } from '../types/scenarios/process-code.ts';

/** The code behind a name. Throws `USAGE` where it is not here, as in whoever reads only what a run left. */
export function codeOf(name: string, code: ProcessCode | undefined): unknown {
  if (code?.has(name) === true) return code.get(name);
  throw new PasskError('USAGE', `"${name}" is code of the program that made the scenario, which is not here.`, {
    hint: 'Run it from that program, or by the module that exports the scenario.',
  });
}
