import type { SuiteReport } from '../types/report.ts';
import { redCells } from './contract-texts.ts';
import { plainText } from './plain-text.ts';
import { isTrouble, type ScenarioOutcome } from './scenario-outcome.ts';

/** Reasons of a gate that did not pass although every scenario, cell and gate expression looks fine, and nothing drifted; null: those say it all. */
export function silentGate(
  { gate, drift, contracts = [] }: SuiteReport,
  outcomes: readonly ScenarioOutcome[],
): string | null {
  if (gate.verdict === 'pass' || outcomes.some(isTrouble)) return null;
  if (contracts.some((contract) => redCells(contract).length > 0)) return null;
  if (drift !== undefined && drift.verdict !== 'pass') return null;
  if (gate.expressions.some((expression) => expression.verdict !== 'pass')) return null;
  const verdict = gate.verdict === 'fail' ? 'The gate failed.' : 'The gate is undecided: not enough evidence.';
  return [verdict, ...gate.reasons.map((reason) => plainText(reason, LONGEST))].join(' ');
}

const LONGEST = 300;
