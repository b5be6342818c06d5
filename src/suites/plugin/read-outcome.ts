import type { SuiteOutcome } from '../../plugin/suite-type.ts';
import type { Json } from '../../types/json.ts';
import { isJsonArray, isJsonObject } from '../../values/is-json.ts';
import { ownData } from './own-data.ts';

const VERDICTS: readonly (Json | undefined)[] = [
  'passed',
  'failed',
  'insufficient',
] satisfies SuiteOutcome['verdict'][];

/** Checks what `fold` of a plug-in returned: plug-ins are not typed when they run. Throws a `TypeError` naming all that is wrong. */
export function readOutcome(returned: unknown): SuiteOutcome {
  const outcome = ownData(returned);
  if (!isJsonObject(outcome)) throw new TypeError('it returned no { verdict, reasons }');
  const { verdict, reasons, data } = outcome;
  const wrong: string[] = [];
  if (!VERDICTS.includes(verdict)) wrong.push('`verdict` must be "passed", "failed" or "insufficient"');
  if (!isJsonArray(reasons) || !reasons.every((reason) => typeof reason === 'string')) {
    wrong.push('`reasons` must be a list of texts');
  }
  if (data !== undefined && !isJsonObject(data)) wrong.push('`data` must be an object');
  if (wrong.length > 0) throw new TypeError(wrong.join('; '));
  return outcome as unknown as SuiteOutcome;
}
