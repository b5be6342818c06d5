import { LIVE_CALL, type LiveCallPayload } from '../../plugin/live-node.ts';
import type { Json } from '../../types/json.ts';
import type { FinishReason, MessagePart, TokenUsage } from '../../types/message.ts';
import type { ModelAnswer, ModelChunk, ModelRun } from '../../types/model-test.ts';
import type { ModelPlan } from '../../types/plan.ts';
import type { HostCall } from '../live-ports.ts';
import { toGenkitFinish, toGenkitPart, toGenkitUsage } from './genkit-answer.ts';
import { requestOf } from './genkit-request.ts';

/** What the host's function that asks real models answers, as far as tests look at it. */
interface DirectAnswer {
  readonly parts?: readonly MessagePart[];
  readonly finish?: FinishReason | null;
  readonly usage?: TokenUsage | null;
  readonly error?: string;
  readonly broken?: string;
  readonly isLate?: boolean;
  readonly latencyMs: number;
  /** As they arrived, where the endpoint streams. */
  readonly chunks?: readonly { readonly atMs: number; readonly part: MessagePart }[];
  readonly retried?: ModelRun['retried'];
}

interface DirectQuestion {
  readonly plan: ModelPlan;
  readonly trial: number;
  readonly signal: AbortSignal | undefined;
  /** How often the trial has asked, from 1. */
  readonly visit: number;
}

/** Resolves to a `ModelRun`, in Genkit's words. Rejects when the harness failed. */
export async function askDirectly(call: HostCall, { plan, trial, signal, visit }: DirectQuestion): Promise<Json> {
  const { model, test } = plan.scenario.subject;
  const payload: LiveCallPayload = {
    ...requestOf(test.input),
    scenario: plan.index,
    trial,
    backend: model,
    walk: '',
    node: test.id,
    visit,
    attempt: 1,
    call: visit,
    inDetail: true,
  };
  // Made by the function that asks real models.
  const answer = (await call(
    LIVE_CALL,
    payload as unknown as Json,
    plan.traits.longestMs,
    signal,
  )) as unknown as DirectAnswer;
  if (answer.broken !== undefined) throw new Error(answer.broken);
  const run: ModelRun = { answer: answerOf(answer, test.stream), retried: answer.retried ?? [], log: null };
  // Plain data by its type.
  return run as unknown as Json;
}

function answerOf(answer: DirectAnswer, stream: boolean): ModelAnswer {
  const { parts = [], finish = null, usage = null, error, isLate = false, latencyMs } = answer;
  const chunks: readonly ModelChunk[] | null = stream
    ? (answer.chunks ?? []).map(({ atMs, part }) => ({
        atMs,
        chunk: { role: 'model', index: 0, content: [toGenkitPart(part)] },
      }))
    : null;
  if (error !== undefined) {
    const why = isLate ? 'timed_out' : 'error';
    // What could pass by itself has been asked again already.
    return {
      kind: 'problem',
      why,
      message: error,
      code: null,
      transient: false,
      retryAfterMs: null,
      chunks,
      latencyMs,
    };
  }
  return {
    kind: 'answer',
    response: {
      message: { role: 'model', content: parts.map(toGenkitPart) },
      finishReason: toGenkitFinish(finish),
      ...(usage !== null && { usage: toGenkitUsage(usage) }),
    },
    chunks,
    latencyMs,
  };
}
