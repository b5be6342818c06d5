import type { OverallScore } from '../types/reports/contract-report.ts';
import type { GateVerdict } from '../types/reports/gate.ts';
import type { ResultBase } from '../types/suite-base.ts';
import { nounOf } from '../values/noun-of.ts';
import { UNCALIBRATED } from './read-judged.ts';
import { barTexts } from '../text/format-rate.ts';
import { worstVerdict } from './worst-verdict.ts';

export interface JudgedBars {
  readonly verdict: GateVerdict;
  readonly reasons: readonly string[];
}

/** The verdicts of all results, and which of them did not pass; each says itself why. */
export function judgeResults(results: readonly ResultBase[]): JudgedBars {
  const counted = results.filter(({ verdict }) => verdict !== 'skipped');
  if (counted.length === 0 && results.length > 0) {
    return { verdict: 'insufficient', reasons: ['Everything was skipped, so nothing was tried.'] };
  }
  return {
    verdict: worstVerdict(counted.map(({ verdict }) => GATE_VERDICT[verdict])),
    reasons: counted.flatMap((result) => (result.verdict === 'passed' ? [] : [reasonOf(result)])),
  };
}

/** Why a judge may not decide is said here too, as for scenarios: it is not the subject that has to change. */
function reasonOf(result: ResultBase): string {
  const named = `${nounOf(result)} ${result.name}`;
  if (result.verdict === 'failed') return `${named} failed.`;
  const judge = result.reasons.find((reason) => reason.startsWith(UNCALIBRATED));
  return judge === undefined ? `${named} is undecided.` : `${named} is undecided: ${judge}`;
}

const GATE_VERDICT: Readonly<Record<ResultBase['verdict'], GateVerdict>> = {
  passed: 'pass',
  failed: 'fail',
  insufficient: 'insufficient',
  skipped: 'pass',
};

/** Whether the overall score reaches the bar. */
export function judgeOverall(overall: OverallScore | undefined, minScore: number): JudgedBars {
  const score = overall?.score ?? null;
  const [barText, scoreText] = barTexts(minScore, score ?? 0);
  if (score === null) {
    // A bar of 0 asks for nothing.
    if (minScore === 0) return { verdict: 'pass', reasons: [] };
    return { verdict: 'insufficient', reasons: [`overall score: no phase was scored; its bar is ${barText}.`] };
  }
  // A score is a quotient of sums of weights, which are rounded.
  if (score - minScore >= -1e-12) return { verdict: 'pass', reasons: [] };
  return { verdict: 'fail', reasons: [`overall score ${scoreText} is below its bar ${barText}.`] };
}
