import { answerObject, type UnreadableVerdict, unreadable } from './answer-objects.ts';

/** Which of two a judge prefers: the one shown as A, the one shown as B, or neither. */
export const PAIR_VERDICTS = ['A', 'B', 'tie'] as const;
/** Which of two records a judge prefers. */
export type PairVerdict = (typeof PAIR_VERDICTS)[number];

/** The verdict in a judge's answer about two records, or why there is none. */
export type PairReading =
  | {
      readonly ok: true;
      /** Which answer the judge prefers. */
      readonly verdict: PairVerdict;
    }
  | UnreadableVerdict;

/** Reads which of two a judge prefers, and fails closed: only the three words are verdicts, in this spelling. */
export function readPairVerdict(text: string, mark: string): PairReading {
  const found = answerObject(text, mark);
  if (!found.ok) return found;
  const word = found.object['verdict'];
  if (word === undefined) return unreadable('no_verdict', 'The answer has no key "verdict".');
  const verdict = PAIR_VERDICTS.find((one) => one === word);
  if (verdict === undefined) return unreadable('wrong_value', 'The verdict is none of "A", "B" and "tie".');
  return { ok: true, verdict };
}
