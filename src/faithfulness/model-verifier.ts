import { PasskError } from '../errors.ts';
import { readRubricVerdict } from '../judges/read-rubric-verdict.ts';
import type { JudgeQuestion, Unjudgeable } from '../judges/judge-prompt.ts';
import type { Message } from '../types/message.ts';
import { claimIds, claimsQuestion, readClaims, splitQuestion } from './claims-question.ts';
import type { AnswerSampler, ClaimSplitter, ClaimVerifier } from './score-claims.ts';

/** Asks a model, and gives the text of its answer. Rejects where there is none. */
export type AskModel = (messages: readonly Message[]) => Promise<string>;

/**
 * A verifier that asks a model about all claims in one question. What the model says is read as answers of judges are: an
 * answer without a verdict on each claim is an error (`INPUT`), and never a verdict.
 */
export function modelVerifier(ask: AskModel): ClaimVerifier {
  return {
    method: 'model',
    async verify(claims, contexts) {
      const { messages, mark } = asked(claimsQuestion({ claims, contexts }));
      const reading = readRubricVerdict(await ask(messages), claimIds(claims), mark);
      if (!reading.ok) throw new PasskError('INPUT', `The model gave no verdict on the claims: ${reading.message}`);
      return reading.verdicts.map(({ met }) => met);
    },
  };
}

/** A splitter that asks a model for the claims of an answer, each of which stands alone. An answer without a list of texts is an error (`INPUT`). */
export function modelSplitter(ask: AskModel): ClaimSplitter {
  return {
    async split(answer) {
      const { messages, mark } = asked(splitQuestion(answer));
      const reading = readClaims(await ask(messages), mark);
      if (!reading.ok) throw new PasskError('INPUT', `The model gave no claims: ${reading.message}`);
      return reading.claims;
    },
  };
}

/** Samples that are asked for at a time. */
const AT_ONCE = 8;

/** A sampler that asks a model the same again and again. `sample` counts from 0: a cache between must not answer one for another. */
export function modelSampler(
  ask: (messages: readonly Message[], sample: number) => Promise<string>,
  messages: readonly Message[],
): AnswerSampler {
  return {
    async sample(count) {
      const answers: string[] = [];
      while (answers.length < count) {
        const from = answers.length;
        const many = Math.min(AT_ONCE, count - from);
        answers.push(...(await Promise.all(Array.from({ length: many }, (_, at) => ask(messages, from + at)))));
      }
      return answers;
    },
  };
}

function asked(question: JudgeQuestion | Unjudgeable): JudgeQuestion {
  if (question.ok) return question;
  throw new PasskError('INPUT', question.message);
}
