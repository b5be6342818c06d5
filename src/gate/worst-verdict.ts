import type { GateVerdict } from '../types/reports/gate.ts';

/** The verdict of many: fail before insufficient before pass; insufficient when there is none. */
export function worstVerdict(verdicts: readonly GateVerdict[]): GateVerdict {
  if (verdicts.includes('fail')) return 'fail';
  return verdicts.length === 0 || verdicts.includes('insufficient') ? 'insufficient' : 'pass';
}
