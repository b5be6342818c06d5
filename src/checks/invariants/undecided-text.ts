import type { InvariantRule } from '../../types/invariant.ts';

/** Why nobody can tell whether a rule was obeyed: what it looks at and where that could be seen. Completes "because …". */
export function undecidedText({ type }: Pick<InvariantRule, 'type'>): string {
  switch (type) {
    case 'max_tokens':
    case 'max_cost':
      return 'the tokens of its model calls were not seen; send them through the proxy, to a model that tells its usage';
    case 'tool_called':
    case 'tool_not_called':
      return 'none of its calls were seen; send them through the proxy';
    case 'behavior_unchanged':
      return 'there is no answer without chaos to compare with';
    case 'policy_denied':
    case 'stopped_by':
      return 'only workflows have a policy and an ending';
    default:
      return 'what it looks at was not seen';
  }
}
