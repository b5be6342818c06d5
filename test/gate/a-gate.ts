import { parseGate } from '../../src/gate/parse-gate.ts';
import type { Gate } from '../../src/types/reports/gate.ts';

/** The gate this text is. */
export function aGate(text = 'pass_rate >= 0.95'): Gate {
  const parsed = parseGate(text);
  if (parsed.ok) return parsed.gate;
  throw new Error(`${text}: ${parsed.problem.message}`);
}
