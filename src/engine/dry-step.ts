import type { Step } from '../plugin/node-type.ts';
import type { Json } from '../types/json.ts';

const DRY_LOOP: Json = Object.freeze({ result: null, steps: 0, dry_run: true });

/**
 * A node of a dry run: it asks as ever, so that policy judges the request, and ends with what the ports put in place of an
 * answer, without a branch. A loop asks nothing.
 */
export function dryStep(type: string, step: Step): Step {
  if (type === 'agent_loop') return { reads: [], begin: () => ({ kind: 'done', output: DRY_LOOP }) };
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
