import { Type } from '../../source/schema-type.ts';
import { contextPath, strictTable, text, texts, u32 } from '../../workflow/schema-parts.ts';
import { hintFor } from '../../text/did-you-mean.ts';
import type { CheckedNode, NodeProblem } from '../../types/node-problem.ts';
import { LOOP_TOOLS } from '../loop/loop-tools.ts';
import type { AgentLoopKeys } from '../../types/definitions/node-keys.ts';
import { MAX_STEPS } from '../loop/loop.ts';

/** The keys of an `agent_loop` node. */
export const agentLoopSchema = strictTable(
  {
    backend: text('Name of the model backend; `default` always exists.'),
    max_steps: u32('Most model answers the loop takes, 1 to 64.'),
    instructions: Type.Optional(text('The task, literally.')),
    instructions_from: Type.Optional(contextPath('Where the task is found, when it is not literal.')),
    tools: Type.Optional(texts('Tools the model may call, such as `read_file`.')),
    max_tokens: Type.Optional(u32('Tokens after which no further answer is asked for.')),
  },
  'Lets a model call tools in a bounded loop: {result, steps, tokens, transcript}; branch `exhausted` at a bound.',
);

/** Bounds, a task, and tools that there are. */
export function checkAgentLoop(
  { maxSteps, instructions, instructionsFrom, tools }: AgentLoopKeys,
  { id }: CheckedNode,
): readonly NodeProblem[] {
  const toolNames = [...LOOP_TOOLS.keys()];
  const problems: NodeProblem[] = [];
  if (maxSteps < 1 || maxSteps > MAX_STEPS) {
    problems.push({
      code: 'agent_loop_steps_out_of_range',
      message: `Node "${id}" allows ${maxSteps} steps; it must be 1 to ${MAX_STEPS}.`,
      at: ['max_steps'],
      hint: `Set max_steps to at most ${MAX_STEPS}.`,
    });
  }
  if (instructions === undefined && instructionsFrom === undefined) {
    problems.push({
      code: 'agent_loop_missing_instructions',
      message: `Node "${id}" has no task.`,
      hint: 'Give it instructions or instructions_from.',
    });
  }
  if (tools === undefined || tools.length === 0) {
    problems.push({
      code: 'agent_loop_no_tools',
      message: `Node "${id}" offers no tools.`,
      at: [tools === undefined ? 'id' : 'tools'],
      hint: `Offer at least one of ${toolNames.join(', ')}, or use llm_infer.`,
    });
  }
  for (const [position, tool] of (tools ?? []).entries()) {
    if (LOOP_TOOLS.has(tool)) continue;
    problems.push({
      code: 'agent_loop_unknown_tool',
      message: `Node "${id}" offers tool "${tool}", which does not exist.`,
      at: ['tools', position],
      hint: () => hintFor(tool, toolNames, 'tools'),
    });
  }
  return problems;
}
