import type { Address, Answer, ModelRequest } from '../plugin/request.ts';
import { mutationQuestion, readMutation } from '../sessions/user/mutation-question.ts';
import type { ModelMutation } from '../types/mutations/mutation.ts';
import { textOf } from '../values/message-text.ts';

export interface MutationWanted {
  readonly type: ModelMutation;
  /** As `[models]` and `--model` call it. */
  readonly model: string;
  readonly text: string;
}

export interface MutationAsking {
  /** Asks the model. */
  readonly ask: (request: ModelRequest, at: Address) => Answer | Promise<Answer>;
  readonly trial: number;
  /** Which message of the trial it is, from 1. */
  readonly call: number;
}

/** What a model makes of a message. Rejects where it makes none, which says nothing about the subject. */
export async function askMutation(
  { type, model, text }: MutationWanted,
  { ask, trial, call }: MutationAsking,
): Promise<string> {
  const at = { trial, walk: '', node: 'mutation', visit: call, attempt: 1, call, fromModel: false };
  const messages = mutationQuestion(type, text);
  const request = { port: 'model', backend: model, messages, maxTokens: null, repair: false } as const;
  const { reply } = await ask(request, at);
  if (reply.kind === 'broken') throw new Error(reply.message);
  const made = reply.kind === 'model' ? readMutation(textOf(reply.parts), text) : null;
  if (made !== null) return made;
  const why = reply.kind === 'error' ? reply.message : 'Its answer is no message.';
  throw new Error(`The model "${model}" did not make a ${type}: ${why}`);
}
