import type { TProperties } from 'typebox';
import { Type } from '../source/schema-type.ts';
import { count, strictTable, text } from '../workflow/schema-parts.ts';
import { argsKeys, contentKeys, targetKeys, toolArgs } from './match-schema.ts';

const maybe = Type.Optional;

const node = maybe(text('Node that must have asked; left out: any, in children too.'));

/** How many there must be. */
const countKeys = {
  count: maybe(count('Exactly this many.')),
  at_least: maybe(count('At least this many; without count and bounds: 1.')),
  at_most: maybe(count('At most this many; 0: it must not happen.')),
};

const httpKeys = { node, ...targetKeys, ...contentKeys };
const processKeys = { node, command: maybe(text('Path of the program.')), ...argsKeys };
const mcpKeys = {
  node,
  server: maybe(text('Name of the server.')),
  tool: maybe(text('Name of the tool called.')),
  resource: maybe(text('URI of the resource read.')),
  args: maybe(toolArgs),
};

function listOf(keys: TProperties, description: string) {
  const entry = strictTable({ ...keys, ...countKeys }, 'Which requests, and how many.');
  return maybe(Type.Array(entry, { description }));
}

/** What policy must have refused. `keys`: what tells whose request it was; {}: nothing does. */
export function denialsOf(keys: TProperties) {
  return maybe(
    Type.Array(
      strictTable(
        {
          ...keys,
          contains: maybe(text('Text that the denial must contain.')),
          matches: maybe(text('Pattern that the denial must match (RE2 syntax).')),
          ...countKeys,
        },
        'Which denials, and how many.',
      ),
      { description: "What the subject's policy must have refused." },
    ),
  );
}

/** The keys of `[expected]` about what left the workflow. */
export const requestKeys = {
  http: listOf(httpKeys, 'HTTP requests that policy allowed.'),
  processes: listOf(processKeys, 'Runs of programs that policy allowed.'),
  mcp: listOf(mcpKeys, 'Calls to MCP servers that policy allowed.'),
  sequence: maybe(
    Type.Array(
      Type.Union([
        strictTable({ http: strictTable(httpKeys, 'An HTTP request.') }, 'An HTTP request.'),
        strictTable({ process: strictTable(processKeys, 'A run of a program.') }, 'A run of a program.'),
        strictTable({ mcp: strictTable(mcpKeys, 'A call to an MCP server.') }, 'A call to an MCP server.'),
      ]),
      { minItems: 1, description: 'Requests that must go out in this order; others may lie between them.' },
    ),
  ),
  denials: denialsOf({ node }),
};
