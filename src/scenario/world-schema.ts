import { Type } from 'typebox';
import { count, mapOf, oneOf, strictTable, text, texts } from '../workflow/schema-parts.ts';

const maybe = Type.Optional;
const delay = maybe(count('Virtual milliseconds until it answers; default 0.'));

const fileSchema = Type.Union(
  [
    Type.String(),
    strictTable({ content: text('The text of the file.') }, 'A file.'),
    strictTable({ dir: Type.Literal(true, { description: 'Makes it a folder.' }) }, 'An empty folder.'),
    strictTable({ link: text('Where the link leads.') }, 'A symbolic link.'),
  ],
  { description: 'The text of a file, or {content = …}, {dir = true}, {link = …}.' },
);

const httpSchema = strictTable(
  {
    method: maybe(text('Method it answers; left out: any.')),
    url: text('Exact URL, or a beginning that ends with *.'),
    status: maybe(Type.Integer({ minimum: 100, maximum: 599, description: 'Status of the reply; default 200.' })),
    headers: maybe(mapOf(Type.String(), 'Headers of the reply.')),
    body: maybe(Type.Unknown({ description: 'Body of the reply; what is not text is sent as JSON.' })),
    delay_ms: delay,
  },
  'What stands in for an HTTP server.',
);

const processSchema = strictTable(
  {
    command: text('Absolute path of the program it stands in for.'),
    args: maybe(texts('Arguments it answers; left out: any.')),
    exit_code: maybe(Type.Integer({ minimum: -1, maximum: 255, description: 'Exit code; default 0.' })),
    stdout: maybe(text('What it prints.')),
    stderr: maybe(text('What it prints as errors.')),
    delay_ms: delay,
  },
  'What stands in for a program.',
);

const toolSchema = strictTable(
  {
    content: maybe(Type.Unknown({ description: "The tool's content." })),
    structured: maybe(Type.Unknown({ description: "The tool's structured content." })),
    is_error: maybe(Type.Boolean({ description: 'The tool says that it failed.' })),
    delay_ms: delay,
  },
  'What a tool answers.',
);

const mcpSchema = strictTable(
  {
    name: text('Name of the MCP server it stands in for.'),
    tools: maybe(mapOf(toolSchema, 'Answers by tool name.')),
    resources: maybe(mapOf(Type.Unknown(), 'Contents by resource URI.')),
  },
  'What stands in for an MCP server.',
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
    http: maybe(Type.Array(httpSchema, { description: 'HTTP replies; the first that fits answers.' })),
    processes: maybe(Type.Array(processSchema, { description: 'Programs; the first that fits answers.' })),
    mcp: maybe(Type.Array(mcpSchema, { description: 'MCP servers.' })),
    approvals: maybe(mapOf(approvalSchema, 'Decisions by pause node; left out: the run stays paused.')),
  },
  'What stands in for the outside world.',
);
