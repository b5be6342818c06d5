import { PasskError } from '../errors.ts';
import type { EvalScenario } from '../types/release/eval-body.ts';
import type { TrialLine } from '../types/release/trial-line.ts';
import type { PlannedEvidence, TriedScenario } from './evidence.ts';

const MOST_FAILURES = 5;

/**
 * Each scenario with its trials and what they come to. Throws `INTEGRITY` for trials of other scenarios, trials that were
 * never planned and trials that stand twice.
 */
export function countTrials(
  scenarios: readonly PlannedEvidence[],
  trials: Iterable<TrialLine>,
): readonly TriedScenario[] {
  const byHash = new Map<string, TrialLine[]>(scenarios.map(({ hash }) => [hash, []]));
  for (const line of trials) {
    const lines = byHash.get(line.scenario);
    if (lines === undefined)
      throw foreign(`Trial ${line.trial} of scenario ${line.scenario} is of no scenario of the record.`);
    const last = lines.at(-1);
    if (last !== undefined && line.trial <= last.trial) {
      throw foreign(`Trial ${line.trial} of scenario ${line.scenario} stands twice, or out of order.`);
    }
    lines.push(line);
  }
  return scenarios.map((scenario) => {
    const lines = byHash.get(scenario.hash) ?? [];
    if (lines.length > scenario.planned) {
      throw foreign(`"${scenario.name}" has ${lines.length} trials, and ${scenario.planned} were planned.`);
    }
    const of = (verdict: TrialLine['verdict']): readonly TrialLine[] => lines.filter((one) => one.verdict === verdict);
    const failed = of('failed');
    return {
      ...scenario,
      passed: of('passed').length,
      failed: failed.length,
      errors: of('broken').length,
      retries: lines.reduce((sum, { retries }) => sum + retries, 0),
      nanoUsd: spentOn(lines),
      firstFailures: failed.slice(0, MOST_FAILURES).map(({ trial }) => trial),
      trials: lines,
    };
  });
}

/** The trials of a scenario that were run. */
export function trialsOf({ passed, failed, errors }: Pick<EvalScenario, 'passed' | 'failed' | 'errors'>): number {
  return passed + failed + errors;
}

/** Null: a line has no price. */
function spentOn(trials: readonly TrialLine[]): string | null {
  let sum = 0n;
  for (const { ledger } of trials) {
    for (const { nanoUsd } of ledger) {
      if (nanoUsd === null) return null;
      sum += BigInt(nanoUsd);
    }
  }
  return String(sum);
}

function foreign(message: string): PasskError {
  return new PasskError('INTEGRITY', message, { hint: 'Take the file of trials that was written with the record.' });
}
