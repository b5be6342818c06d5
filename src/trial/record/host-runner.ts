import { brokenAnswer } from '../../effects/answers.ts';
import type { Address, Answer, HostRequest, Ports, Request } from '../../plugin/request.ts';
import type { Json } from '../../types/json.ts';
import type { ScenarioPlan } from '../../types/plan.ts';
import type { RealTime } from '../../types/real-time.ts';
import type { TrialRecord } from '../../types/record.ts';
import { messageOf } from '../../values/message-of.ts';
import { openTape } from '../cassette/trial-tape.ts';
import type { TrialTape } from '../cassette/tape.ts';
import type { HostCall } from '../live-ports.ts';
import type { SubjectRunner } from './record-program.ts';

export interface HostRunnerParts {
  readonly plan: ScenarioPlan;
  /** Null where no function of the host can be called. */
  readonly callHost: HostCall | null;
  readonly startClock: () => RealTime;
  /** What the host is asked for each trial; a cassette knows it by this. */
  readonly request: HostRequest;
  /** Has the host do it. */
  readonly ask: (call: HostCall, trial: number, signal: AbortSignal | undefined) => Promise<Json>;
  /** The record that the host's answer makes. */
  readonly record: (trial: number, value: Json) => TrialRecord;
  /** What a second question may tell; absent: each trial asks one. */
  readonly again?: SecondQuestion;
}

/** A question that is asked where the first answer leaves one open. */
export interface SecondQuestion extends Pick<HostRunnerParts, 'request' | 'ask'> {
  readonly isWanted: (first: TrialRecord) => boolean;
  readonly record: (trial: number, value: Json, first: TrialRecord) => TrialRecord;
}

/** Trials that the host runs, a question each or two; a cassette may take down the answers, or give them. */
export class HostRunner implements SubjectRunner {
  private readonly parts: HostRunnerParts;
  private readonly ports: Ports;
  /** Null: no cassette takes part. */
  private readonly tape: TrialTape | null;

  constructor(parts: HostRunnerParts) {
    const { plan, callHost } = parts;
    this.parts = parts;
    const inner = new HostPorts(parts);
    this.tape =
      plan.cassette === undefined || callHost === null
        ? null
        : openTape(plan.cassette, { ports: inner, scenario: plan.index, callHost });
    this.ports = this.tape?.ports ?? inner;
  }

  async run(trial: number, signal: AbortSignal): Promise<TrialRecord> {
    const { tape, parts } = this;
    const { request, record, again } = parts;
    await tape?.begin(trial, parts.startClock());
    try {
      const first = record(trial, await this.answer(request, { trial, visit: 1 }, signal));
      const isOpen = again !== undefined && !signal.aborted && again.isWanted(first);
      const last = isOpen
        ? again.record(trial, await this.answer(again.request, { trial, visit: 2 }, signal), first)
        : first;
      if (!signal.aborted) await tape?.end();
      return last;
    } finally {
      tape?.drop();
    }
  }

  private async answer(
    request: HostRequest,
    { trial, visit }: { readonly trial: number; readonly visit: number },
    signal: AbortSignal,
  ): Promise<Json> {
    const at = { trial, walk: '', node: request.name, visit, attempt: 1, call: visit, fromModel: false };
    const { reply } = await this.ports.ask(request, at, signal);
    if (reply.kind === 'value') return reply.value;
    throw new Error('message' in reply ? reply.message : 'The host gave no answer.');
  }
}

/** The one port of such a subject: the host. */
class HostPorts implements Ports {
  private readonly parts: HostRunnerParts;

  constructor(parts: HostRunnerParts) {
    this.parts = parts;
  }

  async ask(
    _request: Request,
    { trial, visit }: Pick<Address, 'trial' | 'visit'>,
    signal?: AbortSignal,
  ): Promise<Answer> {
    const { callHost, again } = this.parts;
    const ask = visit > 1 && again !== undefined ? again.ask : this.parts.ask;
    if (callHost === null) return brokenAnswer('Nobody is there who asks the subject.');
    try {
      const value = await ask(callHost, trial, signal);
      return { reply: { kind: 'value', value }, delayUs: 0, source: 'host', fault: null };
    } catch (error) {
      return brokenAnswer(messageOf(error));
    }
  }

  mayAskOutside(): boolean {
    return true;
  }

  /** Nothing is written that passk keeps. */
  noteWritten(): void {}
}
