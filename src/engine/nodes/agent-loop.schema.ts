import { Type } from '../../source/schema-type.ts';
import { contextPath, strictTable, text, texts, u32 } from '../../workflow/schema-parts.ts';

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
