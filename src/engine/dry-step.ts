import type { NodeType, Step } from '../plugin/node-type.ts';
import type { Json } from '../types/json.ts';

/**
 * A node of a dry run: it asks as ever, so that policy judges the request, and ends with what the ports put in place of an
 * answer, without a branch; or asks nothing and gives what its type says.
 */
export function dryStep({ dryOutput }: Pick<NodeType, 'dryOutput'>, step: Step): Step {
  if (dryOutput !== undefined) return { reads: [], begin: () => ({ kind: 'done', output: dryOutput }) };
  const { after } = step;
  if (after === undefined) return step;
  return {
    ...step,
    begin: (inputs) => step.begin(inputs),
    after: (state, reply) =>
      reply.kind === 'value' && isDry(reply.value)
        ? { kind: 'done', output: reply.value }
        : after.call(step, state, reply),
  };
}

/** True for what ports put in place of an answer. */
function isDry(value: Json): boolean {
  return typeof value === 'object' && value !== null && 'dry_run' in value && value.dry_run === true;
}
