import type { NodeType } from '../../plugin/node-type.ts';
import { errorMove, notSet } from '../error-move.ts';
import { Loop, type LoopState } from '../loop/loop.ts';
import { LOOP_TOOLS } from '../loop/loop-tools.ts';
import { plainText } from '../plain-text.ts';
import { fromState } from '../step-state.ts';
import type { AgentLoopKeys } from '../../types/definitions/node-keys.ts';

/** Lets a model call tools, one per answer, until it is done or a bound is reached: then the branch is `exhausted`. */
export const agentLoop: NodeType<AgentLoopKeys> = {
  kind: 'node',
  type: 'agent_loop',
  summary: 'Lets a model call tools in a bounded loop.',
  capability: 'agent_loop',
  needs: ({ tools = [] }) => {
    const ports = tools.map((tool) => LOOP_TOOLS.get(tool)?.port).filter((port) => port !== undefined);
    return [...new Set(['model' as const, ...ports])];
  },
  labels: () => ['exhausted'],
  calls: ({ tools = [] }) => tools.flatMap((tool) => LOOP_TOOLS.get(tool)?.call ?? []),
  mostRequests: ({ maxSteps }) => maxSteps,
  isLoop: true,
  dryOutput: Object.freeze({ result: null, steps: 0, dry_run: true }),
  create: (config, view) => {
    const { backend, instructions, instructionsFrom } = config;
    const loop = new Loop(config, view);
    const literal = instructions !== undefined;
    return {
      reads: literal || instructionsFrom === undefined ? [] : [{ from: 'path', path: instructionsFrom }],
      begin: ([found]) => {
        if (!view.backends.includes(backend)) {
          const message = `agent_loop node \`${view.id}\`: backend \`${backend}\` is not configured`;
          return errorMove('intelligence', message);
        }
        const task = literal ? instructions : found;
        if (task !== undefined) return loop.begin(plainText(task));
        if (instructionsFrom !== undefined) return notSet(instructionsFrom, 'instructions_from');
        return errorMove('tool', 'neither `instructions` nor `instructions_from` is given');
      },
      after: (json, reply) => loop.after(fromState<LoopState>(json), reply),
    };
  },
};
