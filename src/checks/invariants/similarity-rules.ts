import type { Similarity } from '../../plugin/similarity-type.ts';
import { showText } from '../show-value.ts';
import type { JudgedAnswer, Rule } from './rule.ts';
import type { InvariantType, RuleOf } from './invariant-type.ts';
import { textRule } from './text-rule.ts';
import { textSimilarity } from './text-similarity.ts';

/** `similarity`: the answer is at least so like a given text. */
export const similarTo: InvariantType<RuleOf<'similarity'>> = {
  kind: 'invariant',
  type: 'similarity',
  summary: 'The answer is at least so like a text.',
  comparesTexts: true,
  create: ({ expected, threshold }, { similarity }) => similarityRule(expected, threshold, similarity),
};

function similarityRule(expected: string, threshold: number, similarity: Similarity = textSimilarity): Rule {
  return textRule({
    expected: { text: expected, threshold },
    wanted: `a similarity of ${threshold} or more to ${showText(expected)}`,
    wantedNot: `a similarity below ${threshold} to ${showText(expected)}`,
    test: (text) => similarity(expected, text) >= threshold,
    found: (text) => rounded(similarity(expected, text)),
  });
}

/**
 * `behavior_unchanged`: the answer is at least so like the baseline: a given text, or the subject's own answer to the same
 * prompt in a world without chaos. Where there is none, the rule is not obeyed.
 */
export const behaviorUnchanged: InvariantType<RuleOf<'behavior_unchanged'>> = {
  kind: 'invariant',
  type: 'behavior_unchanged',
  summary: 'The answer is at least so like a baseline.',
  undecided: 'there is no answer without chaos to compare with',
  comparesTexts: true,
  takesBaseline: ({ baseline }) => baseline === null,
  create: ({ baseline, threshold }, { similarity }) => unchangedRule(baseline, threshold, similarity),
};

function unchangedRule(baseline: string | null, threshold: number, similarity: Similarity = textSimilarity): Rule {
  if (baseline !== null) return similarityRule(baseline, threshold, similarity);
  const measure = ({ text, baseline: reference }: JudgedAnswer): number | null =>
    text === null || reference === null ? null : similarity(reference, text);
  const wanted = 'to its answer without chaos';
  return {
    needsAnswer: true,
    onEnding: true,
    expected: { text: null, threshold },
    wanted: `a similarity of ${threshold} or more ${wanted}`,
    wantedNot: `a similarity below ${threshold} ${wanted}`,
    holds: (answer) => {
      const found = measure(answer);
      return found === null ? null : found >= threshold;
    },
    got: ({ text }) => text,
    saw: (answer) => {
      const found = measure(answer);
      if (found === null || answer.baseline === null) return 'no baseline to compare with';
      return `${rounded(found)} in ${showText(answer.text ?? '')}, without chaos ${showText(answer.baseline)}`;
    },
  };
}

/** Downwards: what is shown as the threshold has reached it. */
function rounded(similarity: number): string {
  return `a similarity of ${Math.floor(similarity * 1000) / 1000}`;
}
