import type { MessageMutation, MutationType } from '../types/mutations/mutation.ts';
import { hostileMutations } from './hostile-mutations.ts';
import type { Draws, MutationKind } from './mutation-type.ts';
import { textMutations } from './text-mutations.ts';
import { wordMutations } from './word-mutations.ts';

/** Every mutation that takes no model. */
export const mutationKinds: readonly MutationKind[] = [...wordMutations, ...textMutations, ...hostileMutations];

const byType = new Map<string, MutationKind>(mutationKinds.map((kind) => [kind.type, kind]));

/** Whether a way of changing messages takes no model. */
export function isModelFree(type: MessageMutation['type']): type is MutationType {
  return byType.has(type);
}

/** Characters of a message that is mutated; longer ones stay as they are, since a copy of them could be too much. */
export const LONGEST_MUTATED = 50_000;

/** A message as a mutation leaves it: the same for the same draws. Gives the message itself where nothing changes. */
export function mutate(text: string, type: MutationType, draws: Draws): string {
  const kind = byType.get(type);
  if (kind === undefined) throw new TypeError(`There is no mutation "${type}".`);
  return text.length > LONGEST_MUTATED ? text : kind.mutate(text, draws);
}
