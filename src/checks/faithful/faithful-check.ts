import type { checkSupport } from '../../faithfulness/check-support.ts';
import type { FaithfulExpectation } from '../../types/faithfulness/faithful-expectation.ts';
import type { CheckedClaim, SupportReport } from '../../types/faithfulness/support-report.ts';
import type { Json } from '../../types/json.ts';
import type { TrialView } from '../check.ts';
import { answerOf, contextsOf } from './faithful-material.ts';
import type { CheckParts } from '../make-check.ts';
import type { NodePositions } from '../node-positions.ts';
import { showText } from '../show-value.ts';

/** Whether contexts hold the facts of an answer; loaded only where a check asks. */
export type SupportChecker = typeof checkSupport;

/** Where a check looks, and with what. */
export interface FaithfulTools {
  /** Top-level nodes of the subject. */
  readonly nodes: NodePositions;
  readonly checkSupport: SupportChecker;
}

/** Claims that one finding names. */
const SHOWN = 3;

/** `faithful`: contexts hold the facts of what the subject said. Its name says that this is a heuristic. */
export function faithfulCheck(expectation: FaithfulExpectation, tools: FaithfulTools): CheckParts {
  return { name: 'faithful (heuristic)', ...faithfulWords(expectation, tools) };
}

/** A check without a name. */
export interface FaithfulWords extends Pick<CheckParts, 'wanted' | 'holds' | 'saw'> {
  readonly expected: number;
  readonly got: (view: TrialView) => Json;
}

/** The same without a name. */
export function faithfulWords(expectation: FaithfulExpectation, tools: FaithfulTools): FaithfulWords {
  const { minScore = 1, minClaims } = expectation;
  const reportOf = remembering(expectation, tools);
  const unsupported = (view: TrialView): readonly CheckedClaim[] =>
    reportOf(view).claims.filter(({ supported }) => supported === false);
  return {
    expected: minScore,
    wanted: minScore === 1 ? 'contexts that support every claim' : `contexts that support ${minScore} of all claims`,
    holds: (view) => {
      const report = reportOf(view);
      const isEnough = report.supported + report.unsupported >= minClaims;
      return isEnough && (report.score === null || report.score >= minScore);
    },
    got: (view): Json => unsupported(view).map(({ text }) => text),
    saw: (view) => {
      const { supported, unsupported: missed } = reportOf(view);
      const checked = supported + missed;
      if (checked < minClaims) return `${checked} with facts to look for, of the ${minClaims} that there must be`;
      const named = unsupported(view).slice(0, SHOWN).map(shownClaim);
      const more = missed > SHOWN ? ['and more'] : [];
      return [`${supported} of ${checked} supported`, ...named, ...more].join('; ');
    },
  };
}

function shownClaim({ text, facts }: CheckedClaim): string {
  const missing = facts.filter(({ supported }) => !supported).map((fact) => showText(fact.text));
  return `${showText(text)} (no context has ${missing.join(', ')})`;
}

/** Judges each answer once for as long as it and its contexts stay the same: canned ones do, trial after trial. */
function remembering(
  expectation: FaithfulExpectation,
  { nodes, checkSupport: check }: FaithfulTools,
): (view: TrialView) => SupportReport {
  let last: { readonly key: string; readonly report: SupportReport } | null = null;
  return (view) => {
    const answer = answerOf(view);
    const contexts = contextsOf(view, expectation, nodes);
    const key = JSON.stringify([answer, contexts]);
    last = last?.key === key ? last : { key, report: check(answer, contexts) };
    return last.report;
  };
}
