import type { TokenUsage } from '../../types/message.ts';
import type { ModelFacts, ModelProblem, ModelRun, RetriedAttempt } from '../../types/model-test.ts';
import type { ModelSubject } from '../../types/model-suite.ts';
import type { Ending, TrialRecord, Turn } from '../../types/record.ts';
import { isRecord } from '../../values/is-json.ts';
import { COMPLETED, answerTurn, newRecord } from '../../values/blank-record.ts';
import { finishOf, messageIn, partsOf, roleOf, usageOf } from './genkit-parts.ts';

/** What a trial came to before it was asked again alone. */
export interface FirstLook {
  /** What was wrong with it. */
  readonly message: string;
  readonly facts: ModelFacts | undefined;
}

/** The record of a trial that asked a model, retries included, whole; `first`: it was asked before. */
export function recordModel(
  trial: number,
  { answer, retried: lastRetried, log }: ModelRun,
  subject: ModelSubject,
  first: FirstLook | null = null,
): TrialRecord {
  const { model, test } = subject;
  const retried = [...(first?.facts?.retried ?? []), ...(first === null ? [] : [attemptBefore(first)]), ...lastRetried];
  const response = answer.kind === 'answer' ? answer.response : null;
  const usage = usageOf(response);
  // An answer that was judged and asked for again was paid for, too.
  const firstUsage = usageOf(first?.facts?.response);
  const attempts = retried.length + 1;
  const facts: ModelFacts = {
    input: test.input,
    stream: test.stream,
    response,
    ...(answer.kind === 'verdict' && { verdict: { failure: answer.failure } }),
    ...(answer.kind === 'problem' && answer.why === 'died' && { died: true as const }),
    chunks: answer.chunks,
    retried,
    attempts,
    log: log ?? first?.facts?.log ?? null,
  };
  const tokens = usage === null ? null : usage.promptTokens + usage.completionTokens;
  const paid = [firstUsage, usage].filter((one) => one !== null);
  const sum = (of: (one: TokenUsage) => number): number => paid.reduce((total, one) => total + of(one), 0);
  const isTold =
    (answer.kind === 'problem' || usage !== null) && ((first?.facts?.response ?? null) === null || firstUsage !== null);
  const line = { kind: 'model', name: model, units: 1, nanoUsd: null } as const;
  return newRecord({
    trial,
    ending: answer.kind === 'problem' ? endingOf(answer) : COMPLETED,
    turns: [
      ...askedTurns(test.input['messages']),
      {
        ...answerTurn('', {
          problem: answer.kind === 'problem' ? answer.message : null,
          latencyMs: answer.latencyMs,
          chunks: (answer.chunks ?? []).map(({ atMs, chunk }) => ({
            atMs: atMs ?? answer.latencyMs,
            parts: partsOf(isRecord(chunk) ? chunk.content : undefined),
          })),
          tokens,
          usage,
          finish: finishOf(response),
          model,
        }),
        parts: partsOf(messageIn(response)?.content),
      },
    ],
    // Other attempts gave no answer that could have cost something.
    ledger: [
      ...(firstUsage === null ? [] : [{ ...line, attempt: first?.facts?.attempts ?? 1, usage: firstUsage }]),
      { ...line, attempt: attempts, usage },
    ],
    counters: {
      llmCalls: attempts,
      retries: retried.length,
      ...(isTold && {
        llmTokens: sum(({ promptTokens, completionTokens }) => promptTokens + completionTokens),
        promptTokens: sum(({ promptTokens }) => promptTokens),
        completionTokens: sum(({ completionTokens }) => completionTokens),
      }),
    },
    model: facts,
  });
}

function attemptBefore({ message, facts }: FirstLook): RetriedAttempt {
  return { why: facts?.died === true ? 'died' : 'invalid', code: null, message, waitedMs: 0 };
}

function endingOf({ why, message }: ModelProblem): Ending {
  const isLate = why === 'timed_out';
  return {
    status: isLate ? 'timed_out' : 'errored',
    stoppedBy: isLate ? 'timeout' : 'error',
    reason: message,
    category: 'intelligence',
  };
}

/** What the model was told. */
function askedTurns(messages: unknown): readonly Turn[] {
  if (!Array.isArray(messages)) return [];
  return messages.flatMap((message: unknown): readonly Turn[] =>
    isRecord(message)
      ? [{ role: roleOf(message.role), parts: partsOf(message.content), intended: null, answer: null }]
      : [],
  );
}
