import type { Address, Answer, Ports, Request } from '../../plugin/request.ts';
import type { Json } from '../../types/json.ts';
import type { SessionPlan } from '../../types/plan.ts';
import type { RealTime } from '../../types/real-time.ts';
import type { TapedPorts, TrialTape } from '../cassette/tape.ts';
import { openTape } from '../cassette/trial-tape.ts';
import { type HostCall, LivePorts } from '../live-ports.ts';

/** What an agent does that a tape listens to, or does in its place; as data. */
export type NextAct = () => Promise<Json>;

/**
 * What sessions wait for that are held one after the other: the model of the user, and the agent. A cassette may take down what
 * these do, or do it in their place.
 */
export class SessionTape {
  /** What the model of the user is asked through. */
  readonly models: Ports;
  private readonly ports: SessionPorts;
  /** Null: no cassette takes part. */
  private readonly tape: TrialTape | null;
  private trial = 0;
  private acts = 0;

  constructor(plan: SessionPlan, callHost: HostCall | null) {
    this.ports = new SessionPorts(new LivePorts(plan, callHost));
    this.tape =
      plan.cassette === undefined || callHost === null
        ? null
        : openTape(plan.cassette, { ports: this.ports, scenario: plan.index, callHost });
    this.models = this.tape?.ports ?? this.ports;
  }

  /** Begins a trial; resolves to the time it lives in. Rejects where its cassette cannot be read. */
  async begin(trial: number, startClock: () => RealTime): Promise<() => RealTime> {
    this.trial = trial;
    this.acts = 0;
    if (this.tape === null) return startClock;
    const time = await this.tape.begin(trial, startClock());
    return () => time;
  }

  /**
   * The next thing that the agent does after this message of the user: `next` where it is recorded, else what was recorded.
   * Rejects where the harness could not ask it, or nothing was recorded.
   */
  async act(message: string, next: NextAct): Promise<Json> {
    const at = { ...AGENT, trial: this.trial, call: ++this.acts };
    const request = { port: 'host', name: 'agent', payload: { message, act: this.acts } } as const;
    const { reply } = await this.ports.answering(next, () => this.models.ask(request, at));
    if (reply.kind === 'value') return reply.value;
    throw new Error(reply.kind === 'broken' ? reply.message : 'The agent gave no answer.');
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

const AGENT = { walk: '', node: 'agent', visit: 1, attempt: 1, fromModel: false } as const;

/** The two ports of a session: models, and the agent. */
class SessionPorts implements TapedPorts {
  private readonly live: LivePorts;
  /** What the agent does next; null: nobody asks. */
  private next: NextAct | null = null;

  constructor(live: LivePorts) {
    this.live = live;
  }

  /** Asks, where `next` answers for the agent. */
  answering(next: NextAct, ask: () => Answer | Promise<Answer>): Answer | Promise<Answer> {
    this.next = next;
    try {
      return ask();
    } finally {
      this.next = null;
    }
  }

  ask(request: Request, at: Address, signal?: AbortSignal): Promise<Answer> {
    if (request.port === 'model') return this.live.ask(request, at, signal === undefined ? [] : [signal]);
    if (request.port !== 'host' || this.next === null) throw new TypeError('A session asks models and its agent.');
    return answered(this.next);
  }

  mayAskOutside(): boolean {
    return true;
  }

  /** Nothing is written that passk keeps. */
  noteWritten(): void {}
}

async function answered(next: NextAct): Promise<Answer> {
  const value = await next();
  return { reply: { kind: 'value', value }, delayUs: 0, source: 'host', fault: null };
}
