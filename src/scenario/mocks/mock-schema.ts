import type { TProperties } from 'typebox';
import { Type } from '../../source/schema-type.ts';
import { ELICITATION_ACTIONS, HTTP_ERRORS, MCP_ERRORS, PROCESS_ERRORS } from '../../types/mock.ts';
import { count, flag, mapOf, oneOf, strictTable, text } from '../../workflow/schema-parts.ts';
import { argsKeys, contentKeys, targetKeys, textMatch, toolArgs } from '../match-schema.ts';

const maybe = Type.Optional;

const delay = maybe(count('Virtual milliseconds until it answers; default 0.'));

/** Keys of how often an entry answers, and of several replies in order. */
function useKeys(reply: TProperties) {
  return {
    times: maybe(
      Type.Integer({ minimum: 1, description: 'Requests of a trial it answers before the next entry that fits does.' }),
    ),
    replies: maybe(
      Type.Array(strictTable(reply, 'One of several replies.'), {
        minItems: 1,
        description: 'First call, second call, …; instead of the keys of a single reply.',
      }),
    ),
    after_last: maybe(
      oneOf(
        ['repeat', 'error'],
        'After the last of replies: it again (`repeat`, the default), or a failed connection.',
      ),
    ),
  };
}

const httpReply = {
  status: maybe(Type.Integer({ minimum: 100, maximum: 599, description: 'Status of the reply; default 200.' })),
  headers: maybe(mapOf(Type.String(), 'Headers of the reply.')),
  body: maybe(Type.Unknown({ description: 'Body of the reply; what is not text is sent as JSON.' })),
  delay_ms: delay,
  error: maybe(oneOf(HTTP_ERRORS, 'What goes wrong on the way, instead of a reply.')),
};

/** One of `[[world.http]]`. */
export const httpMockSchema = strictTable(
  {
    ...targetKeys,
    request: maybe(strictTable(contentKeys, 'What headers and body of the request must be.')),
    ...httpReply,
    ...useKeys(httpReply),
  },
  'What stands in for an HTTP server.',
);

const processReply = {
  exit_code: maybe(Type.Integer({ minimum: -1, maximum: 255, description: 'Exit code; default 0.' })),
  signal: maybe(Type.Integer({ minimum: 1, maximum: 64, description: 'Number of the signal that ends it.' })),
  stdout: maybe(text('What it prints.')),
  stderr: maybe(text('What it prints as errors.')),
  delay_ms: delay,
  hangs: maybe(flag('It never ends by itself: it is killed at the limit of its node.')),
  error: maybe(oneOf(PROCESS_ERRORS, 'What keeps it from starting.')),
};

/** One of `[[world.processes]]`. */
export const processMockSchema = strictTable(
  {
    command: text('Absolute path of the program it stands in for.'),
    ...argsKeys,
    ...processReply,
    ...useKeys(processReply),
  },
  'What stands in for a program.',
);

const mcpError = Type.Union(
  [
    Type.Enum([...MCP_ERRORS]),
    strictTable(
      { code: Type.Integer({ description: 'Code of the error.' }), message: text('Its text.') },
      'A protocol error.',
    ),
  ],
  { description: '`down`, `timeout`, or the error the server answers: {code = …, message = …}.' },
);

const toolReply = {
  content: maybe(Type.Unknown({ description: "The tool's content." })),
  structured: maybe(Type.Unknown({ description: "The tool's structured content." })),
  is_error: maybe(Type.Boolean({ description: 'The tool says that it failed.' })),
  delay_ms: delay,
  error: maybe(mcpError),
};

const toolSchema = strictTable({ args: maybe(toolArgs), ...toolReply, ...useKeys(toolReply) }, 'What a tool answers.');

const resourceReply = {
  contents: maybe(Type.Unknown({ description: 'The contents.' })),
  delay_ms: delay,
  error: maybe(mcpError),
};

const elicitationReply = {
  action: maybe(oneOf(ELICITATION_ACTIONS, 'What the user does with the form; default `accept`.')),
  content: maybe(Type.Record(Type.String(), Type.Unknown(), { description: 'What the form is filled with.' })),
  delay_ms: delay,
};

/** One of `[[world.mcp]]`. */
export const mcpMockSchema = strictTable(
  {
    name: text('Name of the MCP server it stands in for.'),
    error: maybe(mcpError),
    tools: maybe(
      mapOf(
        Type.Union([toolSchema, Type.Array(toolSchema)], {
          description: 'An answer, or several: the first that fits.',
        }),
        'Answers by tool name.',
      ),
    ),
    resources: maybe(mapOf(Type.Unknown(), 'Contents by resource URI.')),
    reads: maybe(
      Type.Array(
        strictTable(
          { uri: text('URI of the resource.'), ...resourceReply, ...useKeys(resourceReply) },
          'What reading a resource gives.',
        ),
        { description: 'Reads of resources that take time, fail or change; they come before resources.' },
      ),
    ),
    sampling: maybe(text('The model backend that answers when the real server asks for one (sampling).')),
    elicitations: maybe(
      Type.Array(
        strictTable(
          {
            message: maybe(textMatch('What the question must be.')),
            ...elicitationReply,
            ...useKeys(elicitationReply),
          },
          'What the user answers when the server asks.',
        ),
        {
          description:
            'Answers to questions of the real server (elicitation), the first that fits; what none fits is declined.',
        },
      ),
    ),
  },
  'What stands in for an MCP server.',
);
