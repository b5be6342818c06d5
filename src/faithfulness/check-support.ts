import type { CheckedClaim, SupportReport } from '../types/faithfulness/support-report.ts';
import { ContextIndex } from './context-index.ts';
import { type Allowance, isSupported, MOST_PLACES } from './fact-supported.ts';
import { claimFacts } from './facts/facts-of.ts';
import { claimScore } from './scores.ts';
import { splitClaims } from './split-claims.ts';

/**
 * Whether contexts hold the facts of an answer: its numbers, quantities with units, dates, times, quotations, names and ids,
 * in whatever notation they stand. A heuristic: it compares facts and no meanings. Nobody is asked, and the same texts give
 * the same report.
 */
export function checkSupport(answer: string, contexts: readonly string[]): SupportReport {
  return checkClaims(splitClaims(answer), contexts);
}

/** The same of claims that somebody else has taken apart. */
export function checkClaims(claims: readonly string[], contexts: readonly string[]): SupportReport {
  const index = new ContextIndex(contexts);
  const allowance: Allowance = { places: MOST_PLACES };
  const checked = claims.map((text): CheckedClaim => {
    const facts = claimFacts(text).filter(({ isWeak }) => !isWeak);
    const shown = facts.map((fact) => ({
      kind: fact.kind,
      text: fact.text,
      supported: isSupported(fact, index, allowance),
    }));
    return { text, supported: shown.length === 0 ? null : shown.every(({ supported }) => supported), facts: shown };
  });
  const count = (wanted: boolean | null): number => checked.filter(({ supported }) => supported === wanted).length;
  return {
    method: 'heuristic',
    claims: checked,
    supported: count(true),
    unsupported: count(false),
    unchecked: count(null),
    score: claimScore(checked.flatMap(({ supported }) => (supported === null ? [] : [supported]))),
  };
}
