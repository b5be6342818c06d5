import type { MessageMutation } from '../../types/mutations/mutation.ts';
import type { Report } from '../../workflow/report.ts';
import type { Mutations } from '../mutations/read-mutations.ts';
import type { NamedAgent } from './read-agents.ts';

/** Canned answers are the same whatever the agent is told: mutations would show nothing of it. Controls are canned, too. */
export function isMutated({ agent }: Pick<NamedAgent, 'agent'>): boolean {
  return agent.kind !== 'canned';
}

/** How messages to an agent are changed, one after the other; null: they come as they were written. */
export function mutationsOf(named: NamedAgent, { types, made }: Mutations): readonly (MessageMutation | null)[] {
  return isMutated(named) ? [null, ...types.map((type) => ({ type })), ...made] : [null];
}

/** Says that a file has mutations of which nobody would notice anything. */
export function tellNobodyMutated(report: Report): void {
  report({
    code: 'unused_key',
    message: '"mutations" has no effect: every agent of this file has canned answers, whatever it is told.',
    at: ['mutations'],
    part: 'key',
    hint: 'Add one of your own with [[agents]].',
  });
}
