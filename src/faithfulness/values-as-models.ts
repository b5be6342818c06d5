import { textLines } from '../judges/text-lines.ts';
import type { ClaimSplitter, ClaimVerifier, PairScorer } from './score-claims.ts';

/** What a function among `models` is asked, as far as these look at it. */
interface Asked {
  /** The messages of the request, in order. */
  readonly messages: readonly {
    /** The text of the message. */
    readonly content: string;
  }[];
}

type AnswersJudges = (asked: Asked) => Promise<{
  /** The text of the answer. */
  readonly content: string;
}>;

/**
 * A function for `models` by which a judge with `verifies = true` asks a verifier of yours. A claim of which it cannot tell
 * has no verdict, which is an error of the judge.
 */
export function verifierModel(verifier: ClaimVerifier): AnswersJudges {
  return async (asked) => {
    const { mark, lines } = shownIn(asked);
    const claims = [...lines].filter(([name]) => /^claim-\d+$/.test(name));
    const contexts = [...lines].flatMap(([name, text]) => (/^context \d+$/.test(name) ? [text] : []));
    const found = await verifier.verify(
      claims.map(([, text]) => text),
      contexts,
    );
    const verdicts = claims.flatMap(([criterion], at) => {
      const met = found[at] ?? null;
      return met === null ? [] : [{ criterion, met, reason: `by ${verifier.method}` }];
    });
    return { content: JSON.stringify({ mark, verdicts }) };
  };
}

/** A function for `models` by which a judge asks a splitter of yours, named as its `splitter`. */
export function splitterModel(splitter: ClaimSplitter): AnswersJudges {
  return async (asked) => {
    const { mark, lines } = shownIn(asked);
    return { content: JSON.stringify({ mark, claims: await splitter.split(lines.get('answer') ?? '') }) };
  };
}

/** A verifier by a scorer: a claim is supported where a context supports it with so high a score or a higher one. */
export function scorerVerifier(scorer: PairScorer, threshold = 0.5): ClaimVerifier {
  return {
    method: 'score',
    verify: (claims, contexts) =>
      Promise.all(
        claims.map(async (claim) => {
          const scores = await Promise.all(contexts.map((context) => scorer.score(context, claim)));
          // What is no score is no verdict.
          if (scores.length === 0 || !scores.every((score) => score >= 0 && score <= 1)) return null;
          return Math.max(...scores) >= threshold;
        }),
      ),
  };
}

function shownIn({ messages }: Asked): { readonly mark: string; readonly lines: ReadonlyMap<string, string> } {
  const [system = '', shown = ''] = messages.map(({ content }) => content);
  return { mark: /"mark":"(m-[0-9a-f]+)"/.exec(system)?.[1] ?? '', lines: textLines(shown) };
}
