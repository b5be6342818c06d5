import type { ModelPrice } from '../../types/model-endpoint.ts';
import type { Address, Answer, Ports, Request } from '../../plugin/request.ts';
import { cannedUserModel } from '../../sessions/user/canned-user-model.ts';
import { type AskUser, ModelUser, type UserAnswer } from '../../sessions/user/model-user.ts';
import { compileUser } from '../../sessions/user/scripted-user.ts';
import { userDraws } from '../../sessions/user/user-draws.ts';
import type { UserInSession } from '../../sessions/user/user-in-session.ts';
import type { SessionPlan } from '../../types/plan.ts';
import type { RealTime } from '../../types/real-time.ts';
import type { UserModel } from '../../types/sessions/session-user.ts';
import { textOf } from '../../values/message-text.ts';
import { openTape } from '../cassette/trial-tape.ts';
import type { TapedPorts, TrialTape } from '../cassette/tape.ts';
import { type HostCall, LivePorts } from '../live-ports.ts';
import type { Ending } from '../record/within-time.ts';

/** The users of sessions that one runner holds, one after the other. */
export interface SessionUsers {
  /** Begins a trial; resolves to the time it lives in. Rejects where its cassette cannot be read. */
  begin(trial: number, startClock: () => RealTime): Promise<() => RealTime>;
  /** The user of one session, which is told when nobody waits for it any more. */
  userOf(trial: number, ending: Ending): UserInSession;
  /** The trial has ended, and all of it is kept. */
  end(): Promise<void>;
  /** Nothing of the trial is kept. */
  drop(): void;
}

/** Users that wait for nothing: a script, or a model whose answers are canned. */
export function usersAtOnce({ scenario, words }: SessionPlan): (trial: number) => UserInSession {
  const { user } = scenario.subject;
  if (user.kind !== 'model') {
    const userOf = compileUser(user);
    return (trial) => userOf(userDraws(words, trial));
  }
  const modelOf = cannedUserModel(user.turns);
  return (trial) => new ModelUser(user, modelOf(userDraws(words, trial)));
}

/** True: the user's model is asked through the host. */
export function asksUserModel({ scenario, liveModels, liveEndpoints = {} }: SessionPlan): boolean {
  const { user } = scenario.subject;
  return user.kind === 'model' && (liveModels.includes(user.model) || Object.hasOwn(liveEndpoints, user.model));
}

/** What tokens of the user's model cost; null: nobody says. */
export function userPriceIn({ scenario, liveEndpoints = {} }: SessionPlan): ModelPrice | null {
  const { user } = scenario.subject;
  return user.kind === 'model' ? (liveEndpoints[user.model]?.endpoint.price ?? null) : null;
}

/** A way to hold sessions one after the other, each with its user. */
export function openUsers(plan: SessionPlan, callHost: HostCall | null): () => SessionUsers {
  const { user } = plan.scenario.subject;
  if (user.kind === 'model' && asksUserModel(plan)) return () => new AskedUsers(plan, user, callHost);
  const userOf = usersAtOnce(plan);
  const users: SessionUsers = {
    begin: (_, startClock) => Promise.resolve(startClock),
    userOf,
    end: () => Promise.resolve(),
    drop: () => undefined,
  };
  return () => users;
}

/** Users whose model the host asks; a cassette may take down its answers, or give them. */
class AskedUsers implements SessionUsers {
  private readonly user: UserModel;
  private readonly ports: Ports;
  /** Null: no cassette takes part. */
  private readonly tape: TrialTape | null;
  /** True: nothing of a session takes time but its user, so that a replay need not wait. */
  private readonly onlyUserWaits: boolean;

  constructor(plan: SessionPlan, user: UserModel, callHost: HostCall | null) {
    const inner = new UserPorts(new LivePorts(plan, callHost));
    this.user = user;
    this.tape =
      plan.cassette === undefined || callHost === null
        ? null
        : openTape(plan.cassette, { ports: inner, scenario: plan.index, callHost });
    this.ports = this.tape?.ports ?? inner;
    this.onlyUserWaits = plan.scenario.subject.agent.kind === 'canned';
  }

  async begin(trial: number, startClock: () => RealTime): Promise<() => RealTime> {
    if (this.tape === null) return startClock;
    const time = await this.tape.begin(trial, startClock());
    return this.onlyUserWaits ? () => time : startClock;
  }

  userOf(trial: number, ending: Ending): UserInSession {
    let call = 0;
    const ask: AskUser = async (messages) => {
      call++;
      const at = { trial, walk: '', node: 'user', visit: call, attempt: 1, call, fromModel: false };
      const request = { port: 'model', backend: this.user.model, messages, maxTokens: null, repair: false } as const;
      return answerOf(await this.ports.ask(request, at, ending.signal));
    };
    return new ModelUser(this.user, ask);
  }

  async end(): Promise<void> {
    await this.tape?.end();
  }

  drop(): void {
    this.tape?.drop();
  }
}

/** Throws where the harness could not ask. */
function answerOf({ reply }: Answer): UserAnswer {
  if (reply.kind === 'model') {
    return { kind: 'answer', text: textOf(reply.parts), finish: reply.finish, usage: reply.usage };
  }
  if (reply.kind === 'error') return { kind: 'error', message: reply.message };
  throw new Error(reply.kind === 'broken' ? reply.message : 'The model of the user gave no answer.');
}

/** The one port of a session: the model of its user. */
class UserPorts implements TapedPorts {
  private readonly live: LivePorts;

  constructor(live: LivePorts) {
    this.live = live;
  }

  ask(request: Request, at: Address, signal?: AbortSignal): Promise<Answer> {
    if (request.port !== 'model') throw new TypeError('A user asks nothing but its model.');
    return this.live.ask(request, at, signal === undefined ? [] : [signal]);
  }

  mayAskOutside(): boolean {
    return true;
  }

  /** Nothing is written that passk keeps. */
  noteWritten(): void {}
}
