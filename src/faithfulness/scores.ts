/**
 * The share of atomic claims that contexts support (RAGAS: faithfulness). Null for no claims: an answer that claims nothing
 * is neither faithful nor unfaithful.
 */
export function claimScore(verdicts: readonly boolean[]): number | null {
  return verdicts.length === 0 ? null : verdicts.filter(Boolean).length / verdicts.length;
}

/** The mean of what a pair scorer gave each claim, from 0 to 1, as RAGAS does with HHEM. Null for no claims. */
export function pairScoreMean(scores: readonly number[]): number | null {
  return scores.length === 0 ? null : scores.reduce((sum, score) => sum + score, 0) / scores.length;
}

/**
 * How far samples of an answer agree: the mean over all pairs of them. `agree` says how far two do, from 0 to 1; without it
 * equal texts agree, and others do not. Null for fewer than two samples.
 */
export function sampleAgreement(
  samples: readonly string[],
  agree: (a: string, b: string) => number = (a, b) => Number(a === b),
): number | null {
  let [sum, pairs] = [0, 0];
  samples.forEach((a, at) => {
    for (const b of samples.slice(at + 1)) {
      sum += agree(a, b);
      pairs++;
    }
  });
  return pairs === 0 ? null : sum / pairs;
}

/** How sure a model was of its tokens: e to the mean of their log-probabilities, from 0 to 1. Null for no tokens. */
export function tokenConfidence(logProbabilities: readonly number[]): number | null {
  const { length } = logProbabilities;
  return length === 0 ? null : Math.exp(logProbabilities.reduce((sum, one) => sum + one, 0) / length);
}
