import { Type } from '../source/schema-type.ts';
import { count, mapOf, oneOf, strictTable, text } from '../workflow/schema-parts.ts';
import { httpMockSchema, mcpMockSchema, processMockSchema } from './mocks/mock-schema.ts';

const maybe = Type.Optional;

const fileSchema = Type.Union(
  [
    Type.String(),
    strictTable({ content: text('The text of the file.') }, 'A file.'),
    strictTable({ dir: Type.Literal(true, { description: 'Makes it a folder.' }) }, 'An empty folder.'),
    strictTable({ link: text('Where the link leads.') }, 'A symbolic link.'),
  ],
  { description: 'The text of a file, or {content = …}, {dir = true}, {link = …}.' },
);

const decision = ['resume', 'pause'] as const;
const approvalSchema = Type.Union(
  [
    Type.Enum([...decision]),
    strictTable(
      {
        decision: oneOf(decision, 'What the human decides.'),
        after_ms: maybe(count('Virtual milliseconds until then; default 0.')),
      },
      'What a human decides, and when.',
    ),
  ],
  { description: '`resume` or `pause`, or {decision = …, after_ms = …}.' },
);

/** `[world]`: what stands in for everything outside, so that a trial touches nothing real. */
export const worldSchema = strictTable(
  {
    env: maybe(mapOf(Type.String(), 'Environment variables; anything else reads as unset.')),
    files: maybe(mapOf(fileSchema, 'Files in memory by path.')),
    http: maybe(Type.Array(httpMockSchema, { description: 'HTTP replies; the first that fits answers.' })),
    processes: maybe(Type.Array(processMockSchema, { description: 'Programs; the first that fits answers.' })),
    mcp: maybe(Type.Array(mcpMockSchema, { description: 'MCP servers.' })),
    approvals: maybe(mapOf(approvalSchema, 'Decisions by pause node; left out: the run stays paused.')),
  },
  'What stands in for the outside world.',
);
