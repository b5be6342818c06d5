import { LIVE_CALL, type LiveCallPayload, liveModelFunction } from '../plugin/live-node.ts';
import type { Address, Answer, ModelRequest } from '../plugin/request.ts';
import type { Json } from '../types/json.ts';
import type { ScenarioPlan } from '../types/plan.ts';
import { messageOf } from '../values/message-of.ts';
import { withAnySignal } from '../values/with-any-signal.ts';
import type { HostCall } from './trial-ports.ts';

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
    if (errorOnCall !== null && at.call === errorOnCall) return injectedFault(errorOnCall);
    if (!this.isReal(request.backend)) return this.askFunction(request, ends);
    const name = `Model "${request.backend}"`;
    const value = await this.call(name, LIVE_CALL, this.payloadOf(request, at), ends);
    if (typeof value === 'string') return broken(value);
    const cause = causeOf(value.answer);
    return cause === null ? modelAnswer(name, value.answer) : broken(cause);
  }

  private async askFunction(request: ModelRequest, ends: readonly AbortSignal[]): Promise<Answer> {
    const { backend, messages, maxTokens } = request;
    const called = liveModelFunction(backend);
    const name = `Model function "${called}"`;
    const value = await this.call(name, called, { backend, messages, maxTokens }, ends);
    return typeof value === 'string' ? broken(value) : modelAnswer(name, value.answer);
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
      return `${name} failed: ${messageOf(error)}`;
    }
  }

  // Copied: the address is valid during the call only.
  private payloadOf({ backend, messages, maxTokens }: ModelRequest, at: Address): LiveCallPayload {
    const { trial, node, visit, attempt, call } = at;
    return { scenario: this.plan.index, backend, messages, maxTokens, trial, node, visit, attempt, call };
  }

  private isReal(backend: string): boolean {
    const { liveEndpoints } = this.plan;
    return liveEndpoints !== undefined && Object.hasOwn(liveEndpoints, backend);
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
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return badModel(name);
  const { content, promptTokens = 0, completionTokens = 0, error } = value as Readonly<Record<string, Json>>;
  if (typeof error === 'string') {
    const reply = { kind: 'error', category: 'intelligence', message: error, denied: false } as const;
    return { reply, delayUs: 0, source: 'host', fault: null };
  }
  if (typeof content !== 'string' || !isCount(promptTokens) || !isCount(completionTokens)) return badModel(name);
  return { reply: { kind: 'model', content, promptTokens, completionTokens }, delayUs: 0, source: 'host', fault: null };
}

function isCount(value: Json): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function badModel(name: string): Answer {
  return broken(`${name} must return { content: string, promptTokens?, completionTokens? } or { error: string }.`);
}

function broken(message: string): Answer {
  return { reply: { kind: 'broken', message }, delayUs: 0, source: 'none', fault: null };
}
