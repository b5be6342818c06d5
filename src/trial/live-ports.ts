import { brokenAnswer } from '../effects/answers.ts';
import { LIVE_CALL, type LiveCallPayload, liveModelFunction } from '../plugin/live-node.ts';
import type { Address, Answer, ModelRequest } from '../plugin/request.ts';
import type { Json } from '../types/json.ts';
import { JUDGE_BACKEND } from '../types/judges/judge.ts';
import type { ScenarioPlan } from '../types/plan.ts';
import { messageOf } from '../values/message-of.ts';
import { textOf } from '../values/message-text.ts';
import { readModelAnswer } from './read-model-answer.ts';
import { withAnySignal } from '../values/with-any-signal.ts';

/** Calls a function of the host process; rejects with a message when it fails or takes too long. */
export type HostCall = (name: string, payload: Json, timeoutMs: number, signal?: AbortSignal) => Promise<Json>;

/** How much longer than a trial may take an answer is waited for: what ends calls in time is the trial, or the host. */
const SLACK_MS = 5000;

const NOBODY: ReadonlySet<string> = new Set();

/** Models that are asked through the host: functions of the user, and real ones. */
export class LivePorts {
  private readonly plan: ScenarioPlan;
  private readonly callHost: HostCall | null;
  private readonly functions: ReadonlySet<string>;

  constructor(plan: ScenarioPlan, callHost: HostCall | null) {
    this.plan = plan;
    this.callHost = callHost;
    this.functions = plan.liveModels.length === 0 ? NOBODY : new Set(plan.liveModels);
  }

  /** True: this backend is answered here instead of by turns. */
  answers(backend: string): boolean {
    return this.functions.has(backend) || this.isReal(backend);
  }

  async ask(request: ModelRequest, at: Address, ends: readonly AbortSignal[]): Promise<Answer> {
    const { scenario } = this.plan;
    const errorOnCall = scenario.faults.intelErrorOnCall;
    // Calls of the subject are counted from 1.
    if (at.call > 0 && at.call === errorOnCall) return injectedFault(errorOnCall);
    if (!this.isReal(request.backend)) return this.askFunction(request, ends);
    const name = `Model "${request.backend}"`;
    const value = await this.call(name, LIVE_CALL, this.payloadOf(request, at), ends);
    if (typeof value === 'string') return brokenAnswer(value);
    const cause = causeOf(value.answer);
    return cause === null ? modelAnswer(name, value.answer) : brokenAnswer(cause);
  }

  private async askFunction(request: ModelRequest, ends: readonly AbortSignal[]): Promise<Answer> {
    const { port: _, repair: __, messages, ...question } = request;
    const called = liveModelFunction(request.backend);
    const name = `Function "${called}"`;
    // Most functions look at texts only.
    const spoken = messages.map((message) => ({ ...message, content: textOf(message.parts) }));
    const value = await this.call(name, called, { ...question, messages: spoken }, ends);
    return typeof value === 'string' ? brokenAnswer(value) : modelAnswer(name, value.answer);
  }

  /** The answer, or why there is none. */
  private async call(
    name: string,
    called: string,
    payload: object,
    ends: readonly AbortSignal[],
  ): Promise<{ readonly answer: Json } | string> {
    if (this.callHost === null) return `${name} can only be asked in a run.`;
    const timeoutMs = this.plan.scenario.timeoutMs + SLACK_MS;
    const { callHost } = this;
    const ask = (signal?: AbortSignal): Promise<Json> => callHost(called, payload as Json, timeoutMs, signal);
    try {
      return { answer: await (ends.length === 0 ? ask() : withAnySignal(ends, ask)) };
    } catch (error) {
      // What a function threw names it already.
      const message = messageOf(error);
      return message.startsWith(name) ? message : `${name} failed: ${message}`;
    }
  }

  // Copied: the address is valid during the call only.
  private payloadOf({ port: _, repair: __, ...question }: ModelRequest, at: Address): LiveCallPayload {
    const { trial, walk, node, visit, attempt, call } = at;
    return { ...question, scenario: this.plan.index, trial, walk, node, visit, attempt, call };
  }

  private isReal(backend: string): boolean {
    const { liveEndpoints } = this.plan;
    // Judges are asked about a trial, and never by it.
    return liveEndpoints !== undefined && !backend.startsWith(JUDGE_BACKEND) && Object.hasOwn(liveEndpoints, backend);
  }
}

/** Why the host could not ask; null: it could. */
function causeOf(answer: Json): string | null {
  if (answer === null || typeof answer !== 'object' || !('broken' in answer)) return null;
  return typeof answer.broken === 'string' ? answer.broken : null;
}

/** As canned models have it: a fault comes before whatever answers. */
function injectedFault(call: number): Answer {
  const message = `injected transport fault on call ${call}`;
  const reply = { kind: 'error', category: 'intelligence', message, denied: false } as const;
  return { reply, delayUs: 0, source: 'fault', fault: 'intel_error_on_call' };
}

function modelAnswer(name: string, value: Json): Answer {
  const reply = readModelAnswer(value);
  if (reply === null)
    return brokenAnswer(`${name} must return { content, promptTokens?, completionTokens? }, { parts } or { error }.`);
  return { reply, delayUs: 0, source: 'host', fault: null };
}
