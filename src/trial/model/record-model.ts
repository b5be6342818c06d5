import type { ModelFacts, ModelProblem, ModelRun } from '../../types/model-test.ts';
import type { ModelSubject } from '../../types/model-suite.ts';
import type { Ending, TrialRecord, Turn } from '../../types/record.ts';
import { isRecord } from '../../values/is-json.ts';
import { COMPLETED, answerTurn, newRecord } from '../record/blank-record.ts';
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
  { answer, retried: lastRetried }: ModelRun,
  subject: ModelSubject,
  first: FirstLook | null = null,
): TrialRecord {
  const { model, test } = subject;
  const retried = [
    ...(first?.facts?.retried ?? []),
    ...(first === null ? [] : [{ why: 'invalid' as const, code: null, message: first.message, waitedMs: 0 }]),
    ...lastRetried,
  ];
  const response = answer.kind === 'answer' ? answer.response : null;
  const usage = usageOf(response);
  const attempts = retried.length + 1;
  const facts: ModelFacts = {
    input: test.input,
    stream: test.stream,
    response,
    chunks: answer.chunks,
    retried,
    attempts,
  };
  const tokens = usage === null ? null : usage.promptTokens + usage.completionTokens;
  return newRecord({
    trial,
    ending: answer.kind === 'answer' ? COMPLETED : endingOf(answer),
    turns: [
      ...askedTurns(test.input['messages']),
      {
        ...answerTurn('', {
          problem: answer.kind === 'answer' ? null : answer.message,
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
    // The earlier attempts gave no answer that could have cost something.
    ledger: [{ kind: 'model', name: model, attempt: attempts, units: 1, usage, nanoUsd: null }],
    counters: {
      llmCalls: attempts,
      retries: retried.length,
      llmTokens: tokens ?? 0,
      promptTokens: usage?.promptTokens ?? 0,
      completionTokens: usage?.completionTokens ?? 0,
    },
    model: facts,
  });
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
