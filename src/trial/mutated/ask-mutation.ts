import type { Address, Answer, ModelRequest } from '../../plugin/request.ts';
import { type AskedMutation, mutationQuestion, readMutation } from '../../sessions/user/mutation-question.ts';
import { isModelFree } from '../../mutations/mutate.ts';
import type { MessageMutation } from '../../types/mutations/mutation.ts';
import { textOf } from '../../values/message-text.ts';

export interface MutationAsking {
  /** Asks the model. */
  readonly ask: (request: ModelRequest, at: Address) => Answer | Promise<Answer>;
  readonly trial: number;
  /** Which message of the trial it is, from 1. */
  readonly message: number;
}

/** Whether a model carries the mutation out. */
export function takesModel(mutation: MessageMutation): mutation is AskedMutation {
  return !isModelFree(mutation.type);
}

/** What a model makes of a message. Rejects where it makes none, which says nothing about the subject. */
export async function askMutation(
  mutation: AskedMutation,
  text: string,
  { ask, trial, message }: MutationAsking,
): Promise<string> {
  const { type, model = '' } = mutation;
  // It is no call of the subject, whose calls are counted from 1.
  const at = { trial, walk: '', node: 'mutation', visit: message, attempt: 1, call: 0, fromModel: false };
  const messages = mutationQuestion(mutation, text);
  const request = { port: 'model', backend: model, messages, maxTokens: null, repair: false } as const;
  const { reply } = await ask(request, at);
  if (reply.kind === 'broken') throw new Error(reply.message);
  const made = reply.kind === 'model' ? readMutation(textOf(reply.parts), mutation, text) : null;
  if (made !== null) return made;
  const why = reply.kind === 'error' ? reply.message : 'Its answer is no message.';
  throw new Error(`The model "${model}" did not make a ${type}: ${why}`);
}

/** The same of a prompt, which must come out as another one: a trial of the prompt as it is would say nothing of the mutation. */
export async function askMutant(mutation: AskedMutation, prompt: string, asking: MutationAsking): Promise<string> {
  const made = await askMutation(mutation, prompt, asking);
  if (made !== prompt.trim()) return made;
  throw new Error(
    `The model "${mutation.model ?? ''}" left the prompt as it is, so that there is no ${mutation.type}.`,
  );
}
