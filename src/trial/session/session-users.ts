import type { ModelPrice } from '../../types/model-endpoint.ts';
import type { Answer, Ports } from '../../plugin/request.ts';
import { attackedUser } from '../../sessions/attack/attacked-user.ts';
import { cannedUserModel } from '../../sessions/user/canned-user-model.ts';
import { type AskUser, ModelUser, type UserAnswer } from '../../sessions/user/model-user.ts';
import { compileUser } from '../../sessions/user/scripted-user.ts';
import { isModelFree, mutate } from '../../mutations/mutate.ts';
import { type ChangeMessage, MutatedUser } from '../../sessions/user/mutated-user.ts';
import type { MutationType } from '../../types/mutations/mutation.ts';
import { userDraws } from '../../sessions/user/user-draws.ts';
import type { UserInSession } from '../../sessions/user/user-in-session.ts';
import type { SessionPlan } from '../../types/plan.ts';
import { textOf } from '../../values/message-text.ts';
import { askMutation, type MutationAsking, takesModel } from '../mutated/ask-mutation.ts';
import type { Ending } from '../record/within-time.ts';

/** Users that wait for nothing: a script, or a model whose answers are canned. */
export function usersAtOnce(plan: SessionPlan): (trial: number) => UserInSession {
  const { mutation } = plan.scenario.subject;
  const plain = plainUsersAtOnce(plan);
  const isDrawn = mutation !== undefined && isModelFree(mutation.type);
  return attackedUsers(plan, isDrawn ? drawnMutations(plan, mutation.type, plain) : plain);
}

/** Draws that one message may take. */
const DRAWS_A_MESSAGE = 0x10000;

/** The same users, with their messages mutated by draws. */
function drawnMutations<A extends readonly unknown[]>(
  { words }: SessionPlan,
  type: MutationType,
  userOf: (trial: number, ...rest: A) => UserInSession,
): (trial: number, ...rest: A) => UserInSession {
  return (trial, ...rest) => {
    const draws = userDraws(words, trial);
    const change: ChangeMessage = (text, n) =>
      mutate(text, type, (at) => draws.share('mutation', n * DRAWS_A_MESSAGE + at));
    return new MutatedUser(userOf(trial, ...rest), change);
  };
}

/** The same users, with their messages mutated as the plan says: by draws, or by a model that is asked through `models`. */
function mutatedUsers(plan: SessionPlan, models: Ports, userOf: UserMaker): UserMaker {
  const { mutation } = plan.scenario.subject;
  if (mutation === undefined) return userOf;
  if (isModelFree(mutation.type)) return drawnMutations(plan, mutation.type, userOf);
  if (!takesModel(mutation)) return userOf;
  return (trial, ending) => {
    const ask: MutationAsking['ask'] = (request, at) => models.ask(request, at, ending.signal);
    const change: ChangeMessage = (text, n) => askMutation(mutation, text, { ask, trial, message: n + 1 });
    return new MutatedUser(userOf(trial, ending), change);
  };
}

function plainUsersAtOnce({ scenario, words }: SessionPlan): (trial: number) => UserInSession {
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

/** Makes the user of one session, which is told when nobody waits for it any more. */
export type UserMaker = (trial: number, ending: Ending) => UserInSession;

/** The users of sessions. `models`: what their models are asked through. */
export function usersOf(plan: SessionPlan, models: Ports): UserMaker {
  const { user } = plan.scenario.subject;
  if (user.kind !== 'model' || !asksUserModel(plan)) {
    return attackedUsers(plan, mutatedUsers(plan, models, plainUsersAtOnce(plan)));
  }
  const played = mutatedUsers(plan, models, (trial, { signal }) => {
    let call = 0;
    const ask: AskUser = async (messages) => {
      call++;
      const at = { trial, walk: '', node: 'user', visit: call, attempt: 1, call, fromModel: false };
      const request = { port: 'model', backend: user.model, messages, maxTokens: null, repair: false } as const;
      return answerOf(await models.ask(request, at, signal));
    };
    return new ModelUser(user, ask);
  });
  return attackedUsers(plan, played);
}

/** The users as they are, or with what an attacker has them say. */
function attackedUsers<Rest extends readonly unknown[]>(
  { scenario }: SessionPlan,
  userOf: (trial: number, ...rest: Rest) => UserInSession,
): (trial: number, ...rest: Rest) => UserInSession {
  const attack = scenario.subject.crossed?.attack;
  if (attack?.channel !== 'user_turn') return userOf;
  return (trial, ...rest) => attackedUser(userOf(trial, ...rest), attack);
}

/** Throws where the harness could not ask. */
function answerOf({ reply }: Answer): UserAnswer {
  if (reply.kind === 'model') {
    return { kind: 'answer', text: textOf(reply.parts), finish: reply.finish, usage: reply.usage };
  }
  if (reply.kind === 'error') return { kind: 'error', message: reply.message };
  throw new Error(reply.kind === 'broken' ? reply.message : 'The model of the user gave no answer.');
}
