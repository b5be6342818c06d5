import type { Address, Answer, Ports, Request } from '../../plugin/request.ts';
import type { SessionPlan } from '../../types/plan.ts';
import type { RealTime } from '../../types/real-time.ts';
import type { TapedPorts, TrialTape } from '../cassette/tape.ts';
import { openTape } from '../cassette/trial-tape.ts';
import { type HostCall, LivePorts } from '../live-ports.ts';

/**
 * The models that sessions ask which are held one after the other: of their users and of their agents. A cassette may take down
 * what these answer, or answer for them.
 */
export class SessionModels {
  readonly ports: Ports;
  /** Null: no cassette takes part. */
  private readonly tape: TrialTape | null;
  /** True: nothing of a session takes time but its models, so that a replay need not wait. */
  private readonly onlyModelsWait: boolean;

  constructor(plan: SessionPlan, callHost: HostCall | null) {
    const inner = new ModelPorts(new LivePorts(plan, callHost));
    this.tape =
      plan.cassette === undefined || callHost === null
        ? null
        : openTape(plan.cassette, { ports: inner, scenario: plan.index, callHost });
    this.ports = this.tape?.ports ?? inner;
    const { kind } = plan.scenario.subject.agent;
    this.onlyModelsWait = kind === 'canned' || kind === 'model';
  }

  /** Begins a trial; resolves to the time it lives in. Rejects where its cassette cannot be read. */
  async begin(trial: number, startClock: () => RealTime): Promise<() => RealTime> {
    if (this.tape === null) return startClock;
    const time = await this.tape.begin(trial, startClock());
    return this.onlyModelsWait ? () => time : startClock;
  }

  /** The trial has ended, and all of it is kept. */
  async end(): Promise<void> {
    await this.tape?.end();
  }

  /** Nothing of the trial is kept. */
  drop(): void {
    this.tape?.drop();
  }
}

/** The one port of a session: models. */
class ModelPorts implements TapedPorts {
  private readonly live: LivePorts;

  constructor(live: LivePorts) {
    this.live = live;
  }

  ask(request: Request, at: Address, signal?: AbortSignal): Promise<Answer> {
    if (request.port !== 'model') throw new TypeError('A session asks nothing but models.');
    return this.live.ask(request, at, signal === undefined ? [] : [signal]);
  }

  mayAskOutside(): boolean {
    return true;
  }

  /** Nothing is written that passk keeps. */
  noteWritten(): void {}
}
