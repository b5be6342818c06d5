import { PasskError } from '../errors.ts';
import { checkClaims } from './check-support.ts';
import { claimScore, pairScoreMean, sampleAgreement } from './scores.ts';
import { splitClaims } from './split-claims.ts';

/** Takes an answer apart into claims that can be true or false by themselves. */
export interface ClaimSplitter {
  /** Takes an answer apart into claims, each a sentence that can be judged alone. */
  split(answer: string): readonly string[] | Promise<readonly string[]>;
}

/** Says of each claim whether contexts support it. */
export interface ClaimVerifier {
  /** What reports call it. */
  readonly method: string;
  /** One for each claim, in their order; null: it cannot tell. Rejects where it has no verdict at all. */
  verify(
    claims: readonly string[],
    contexts: readonly string[],
  ): readonly (boolean | null)[] | Promise<readonly (boolean | null)[]>;
}

/** Says how far a premise supports a hypothesis, from 0 to 1, as models of entailment do. */
export interface PairScorer {
  /** How well the context supports the claim, from 0 to 1. */
  score(premise: string, hypothesis: string): number | Promise<number>;
}

/** Asks for answers to one question again and again. */
export interface AnswerSampler {
  /** Gives so many answers to the same question. */
  sample(count: number): readonly string[] | Promise<readonly string[]>;
}

interface ClaimScore {
  /** Of the verifier. */
  readonly method: string;
  /** The claims of the answer, each with its verdict. */
  readonly claims: readonly {
    /** The claim. */
    readonly text: string;
    /** Whether the contexts support it; null: nobody could tell. */
    readonly supported: boolean | null;
  }[];
  /** Over claims that the verifier can tell; null: there is none. */
  readonly score: number | null;
}

/** Sentences are claims. */
const sentenceSplitter: ClaimSplitter = { split: splitClaims };

/** The support check: it compares facts and no meanings. */
export const heuristicVerifier: ClaimVerifier = {
  method: 'heuristic',
  verify: (claims, contexts) => checkClaims(claims, contexts).claims.map(({ supported }) => supported),
};

interface ScoreClaimsOptions {
  /** The answer whose claims are verified. */
  readonly answer: string;
  /** The texts that the answer must rest on. */
  readonly contexts: readonly string[];
  /** Default: sentences. */
  readonly splitter?: ClaimSplitter;
  /** Default: `heuristicVerifier`. */
  readonly verifier?: ClaimVerifier;
}

/** The share of an answer's claims that contexts support. A verifier is asked where there are claims, and only then. Throws `INPUT` where verdicts are too few or too many. */
export async function scoreClaims({
  answer,
  contexts,
  splitter = sentenceSplitter,
  verifier = heuristicVerifier,
}: ScoreClaimsOptions): Promise<ClaimScore> {
  const claims = await splitter.split(answer);
  const verdicts = claims.length === 0 ? [] : await verifier.verify(claims, contexts);
  const { method } = verifier;
  if (verdicts.length !== claims.length) {
    throw new PasskError(
      'INPUT',
      `The verifier ${method} gave ${verdicts.length} verdicts on ${claims.length} claims.`,
    );
  }
  return {
    method,
    claims: claims.map((text, at) => ({ text, supported: verdicts[at] ?? null })),
    score: claimScore(verdicts.filter((verdict) => verdict !== null)),
  };
}

/** The mean of what a scorer gives all contexts together and each claim; null without claims. Throws `INPUT` for what is no score. */
export async function scorePairs(
  claims: readonly string[],
  contexts: readonly string[],
  scorer: PairScorer,
): Promise<number | null> {
  const premise = contexts.join('\n\n');
  const scores = await Promise.all(claims.map((claim) => scorer.score(premise, claim)));
  const wrong = scores.find((score) => !(score >= 0 && score <= 1));
  if (wrong !== undefined) throw new PasskError('INPUT', `A score of a pair is from 0 to 1, and not ${wrong}.`);
  return pairScoreMean(scores);
}

/** How far so many answers of a sampler agree, over all pairs; null for fewer than two. */
export async function scoreSamples(
  sampler: AnswerSampler,
  count: number,
  agree?: (a: string, b: string) => number,
): Promise<number | null> {
  return sampleAgreement(await sampler.sample(count), agree);
}
