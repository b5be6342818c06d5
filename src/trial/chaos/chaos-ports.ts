import { brokenAnswer, keptAnswer } from '../../effects/answers.ts';
import { changeAnswer } from '../../faults/chaos/change-answer.ts';
import { type Attack, ChaosState, type ModelStrike } from '../../faults/chaos/chaos-state.ts';
import type { ToolStrike } from '../../faults/chaos/tool-strike.ts';
import { type CompiledChaos, isOrdered, type ToolCall } from '../../faults/chaos/compile-chaos.ts';
import { attackPrompt } from '../../faults/chaos/context-attacks.ts';
import type { Address, Answer, HostRequest, ModelRequest, Ports, Request } from '../../plugin/request.ts';
import type { RealTime } from '../../types/real-time.ts';
import { textMessage, textOf, withText } from '../../values/message-text.ts';
import { replayMiss } from '../../values/replay-miss.ts';
import { AnswerCache } from './answer-cache.ts';
import { type FaultReply, killedAnswer, modelFaultAnswer, toolFaultAnswer } from './fault-answer.ts';
import { injectInto, resultKinds } from './inject-answer.ts';
import { recordedAnswer } from './recorded-answer.ts';
import { toolCall, type ToolRequest } from './tool-call.ts';

export interface ChaosPortsOptions {
  readonly chaos: CompiledChaos;
  /** Where what is not struck goes, and what is struck on its way back comes from. */
  readonly inner: Ports;
  /** True: the subject's policy refuses the request, or it is not whole: no call is made. */
  readonly refuses: (request: Exclude<ToolRequest, HostRequest>) => boolean;
  /** Real time of the trial under way; null: it lives in virtual time. */
  readonly realTime: () => RealTime | null;
}

/**
 * Chaos between a trial and its ports. What the policy refuses never gets here; what strikes comes before mocks, memory and
 * granted effects. The same strike on the same kept answer gives the same kept answer, so steps are still remembered.
 */
export class ChaosPorts implements Ports {
  readonly state: ChaosState;
  readonly overlaps: ((request: Request) => boolean) | undefined;
  private readonly options: ChaosPortsOptions;
  private readonly cache = new AnswerCache();
  private readonly calls = new WeakMap<Request, { readonly node: string; readonly call: ToolCall }>();
  /** What strikes the model request that is about to be made; null: it was not looked at. */
  private next: ModelStrike | null = null;
  /** Trials begun so far. */
  private run = 0;

  constructor(options: ChaosPortsOptions) {
    const { chaos, inner } = options;
    this.options = options;
    this.state = new ChaosState(chaos);
    const { overlaps } = inner;
    // The number of a call is that of the declared order, wherever something depends on it.
    if (overlaps !== undefined) this.overlaps = (request) => !isOrdered(chaos, request.port) && overlaps(request);
  }

  /** Begins a trial: nothing has been called. */
  begin(trial: number): void {
    this.state.begin(trial);
    this.next = null;
    this.run++;
  }

  prepare(request: Request): Request {
    if (request.port !== 'model') return request;
    const strike = this.state.onModel();
    this.next = strike;
    return strike.prompt.length === 0 ? request : withPrompt(request, strike.prompt);
  }

  ask(request: Request, at: Address, signal?: AbortSignal): Answer | Promise<Answer> {
    switch (request.port) {
      case 'model':
        return this.askModel(request, at, signal);
      case 'http':
      case 'process':
      case 'mcp':
      case 'host':
        // What a server asked is part of a call that was struck, or was not.
        if (request.port === 'mcp' && request.resume !== undefined) return this.options.inner.ask(request, at, signal);
        return this.askTool(request, at, signal);
      case 'file':
        return this.whenAnswered(this.options.inner.ask(request, at, signal), (answer) =>
          this.injected(request, answer, null),
        );
      default:
        return this.options.inner.ask(request, at, signal);
    }
  }

  private askModel(request: ModelRequest, at: Address, signal: AbortSignal | undefined): Answer | Promise<Answer> {
    const strike = this.next ?? this.state.onModel();
    // Nobody prepared the request: what strikes its prompt does so now.
    const sentRequest = this.next === null && strike.prompt.length > 0 ? withPrompt(request, strike.prompt) : request;
    this.next = null;
    const { instead, prompt } = strike;
    if (instead !== null) {
      const label = joined(labelOf(prompt), instead.label);
      const answer = this.cache.insteadOf(instead, label, () => faultAnswer(modelFaultAnswer(instead.fault), label));
      return this.after(answer, signal);
    }
    return this.whenAnswered(this.options.inner.ask(sentRequest, at, signal), (answer) => this.changed(answer, strike));
  }

  private changed(answer: Answer, { changes, prompt }: ModelStrike): Answer {
    const { reply } = answer;
    const before = labelOf(prompt);
    if (reply.kind !== 'model' || changes.length === 0) return this.labelled(answer, before);
    const { content, changed } = this.cache.changed(answer, changes, () => changeAnswer(textOf(reply.parts), changes));
    if (changed.length === 0) return this.labelled(answer, before);
    for (const { at } of changed) this.state.fire(at);
    const label = joined(before, changed.map((one) => one.label).join(', '));
    return this.cache.from(answer, `${label}\n${changes.map(({ at }) => at).join()}`, () => ({
      ...answer,
      reply: { ...reply, parts: withText(reply.parts, content) },
      source: 'fault',
      fault: joined(answer.fault, label),
    }));
  }

  private labelled(answer: Answer, label: string | null): Answer {
    if (label === null || answer.reply.kind === 'broken') return answer;
    return this.cache.from(answer, label, () => ({ ...answer, fault: joined(answer.fault, label) }));
  }

  private askTool(request: ToolRequest, at: Address, signal: AbortSignal | undefined): Answer | Promise<Answer> {
    const { inner, refuses } = this.options;
    if (request.port !== 'host' && refuses(request)) return inner.ask(request, at, signal);
    const strike = this.state.onTool(this.callOf(request, at.node));
    const { fault, label, waitMs, recorded, miss } = strike;
    if (miss !== undefined) return brokenAnswer(replayMiss(miss));
    if (recorded !== undefined && !(request.port === 'process' && waitMs > request.timeoutMs)) {
      const answer = this.cache.insteadOf(request, strike, () =>
        faultAnswer(slowed(recordedAnswer(recorded, request), strike), label),
      );
      return this.after(answer, signal);
    }
    if (label === null && recorded === undefined)
      return this.whenAnswered(inner.ask(request, at, signal), (answer) => this.injected(request, answer, null));
    if (request.port === 'process' && waitMs > request.timeoutMs) {
      const killed = this.cache.insteadOf(request, label, () => faultAnswer(killedAnswer(request), label));
      return this.after(killed, signal);
    }
    if (fault !== null) {
      const answer = this.cache.insteadOf(request, label, () =>
        faultAnswer(slowed(toolFaultAnswer(fault, request), strike), label),
      );
      return this.after(answer, signal);
    }
    const realTime = this.options.realTime();
    const go = (from: Address): Answer | Promise<Answer> =>
      this.whenAnswered(inner.ask(request, from, signal), (answer) => this.injected(request, answer, label));
    if (realTime !== null) {
      // The address is valid during the call only.
      const from = { ...at };
      return pause(waitMs, realTime, signal).then(() => go(from));
    }
    return this.whenAnswered(go(at), (answer) =>
      this.cache.from(answer, `+${waitMs}`, () => ({ ...answer, delayUs: answer.delayUs + waitMs * 1000 })),
    );
  }

  /** A result that is about to be taken in, with what is put into it; `label`: of what has struck already. */
  private injected(request: Request, answer: Answer, label: string | null): Answer {
    if (answer.reply.kind !== 'value') return this.labelled(answer, label);
    let now = answer;
    for (const kind of resultKinds(request)) {
      for (const attack of this.state.onResult(kind)) now = this.injectedOnce(request, now, attack);
    }
    return this.labelled(now, label);
  }

  private injectedOnce(request: Request, answer: Answer, attack: Attack): Answer {
    const { reply } = answer;
    if (reply.kind !== 'value') return answer;
    return this.cache.from(answer, attack, () => ({
      ...answer,
      reply: { kind: 'value', value: injectInto(request, reply.value, attack.payload) },
      fault: joined(answer.fault, attack.label),
    }));
  }

  private callOf(request: ToolRequest, node: string): ToolCall {
    const entry = this.calls.get(request);
    if (entry?.node === node) return entry.call;
    const call = toolCall(request, node);
    this.calls.set(request, { node, call });
    return call;
  }

  // What comes when its trial is over says nothing of the next one, and must not be counted there.
  private whenAnswered(answer: Answer | Promise<Answer>, change: (answer: Answer) => Answer): Answer | Promise<Answer> {
    if (!(answer instanceof Promise)) return change(answer);
    const { run } = this;
    return answer.then((late) => (run === this.run ? change(late) : late));
  }

  /** Where time is real, an answer comes when its delay has passed. */
  private after(answer: Answer, signal: AbortSignal | undefined): Answer | Promise<Answer> {
    const realTime = this.options.realTime();
    if (realTime === null || answer.delayUs === 0) return answer;
    return pause(answer.delayUs / 1000, realTime, signal).then(() => ({ ...answer, delayUs: 0 }));
  }
}

function withPrompt(request: ModelRequest, attacks: readonly Attack[]): ModelRequest {
  const at = request.messages.findIndex(({ role }) => role === 'user');
  const prompt = request.messages[at];
  if (prompt === undefined) {
    return { ...request, messages: [...request.messages, textMessage('user', attackPrompt('', attacks).trim())] };
  }
  const attacked = { ...prompt, parts: withText(prompt.parts, attackPrompt(textOf(prompt.parts), attacks)) };
  return { ...request, messages: request.messages.with(at, attacked) };
}

function faultAnswer({ reply, delayMs }: FaultReply, label: string | null): Answer {
  return keptAnswer({ reply, delayUs: delayMs * 1000, source: label === null ? 'mock' : 'fault', fault: label });
}

function slowed(reply: FaultReply, { waitMs }: ToolStrike): FaultReply {
  return waitMs === 0 ? reply : { ...reply, delayMs: reply.delayMs + waitMs };
}

function labelOf(attacks: readonly Attack[]): string | null {
  return attacks.length === 0 ? null : attacks.map(({ label }) => label).join(', ');
}

function joined(before: string | null, label: string): string {
  return before === null ? label : `${before}, ${label}`;
}

/** Real time that passes; who is not waited for any more is never told. */
function pause(ms: number, realTime: RealTime, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const disarm = realTime.alarm(ms * 1000, () => {
      signal?.removeEventListener('abort', disarm);
      resolve();
    });
    signal?.addEventListener('abort', disarm, { once: true });
  });
}
