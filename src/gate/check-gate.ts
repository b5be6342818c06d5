import type { Gate, GateProblem } from '../types/gate.ts';

/** Why the gate cannot be asked of these scenarios; null when it can. Call it before a run, not after. */
export function checkGate(gate: Gate, scenarios: readonly string[]): GateProblem | null {
  const { scope, text } = gate;
  if (scope.kind !== 'scenario' || scenarios.includes(scope.name)) return null;
  const found = text.indexOf('(');
  const end = text.lastIndexOf(').');
  return {
    code: 'unknown_scenario',
    message: `There is no scenario "${scope.name}" in this run.`,
    column: found + 2,
    endColumn: end + 1,
    word: scope.name,
    known: scenarios,
  };
}
