import { PasskError } from '../../errors.ts';
import type { Invariant } from '../../types/invariant.ts';
import { invariantTypeOf } from './builtin.ts';
import type { Rule } from './rule.ts';
import type { RuleTools } from './invariant-type.ts';

/** Compiles the rule of an invariant, before it is negated. Throws `INPUT` for a pattern that cannot be judged. */
export function compileRule({ id, rule }: Invariant, tools: Omit<RuleTools, 'owner'>): Rule {
  const type = invariantTypeOf(rule);
  if (type === undefined) throw new PasskError('INTERNAL', `Nobody judges rules of the type "${rule.type}".`);
  return type.create(rule, { ...tools, owner: id });
}
