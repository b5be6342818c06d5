import { Type } from '../../source/schema-type.ts';
import { flag, mapOf, oneOf, strictTable, text, texts } from '../../workflow/schema-parts.ts';

const maybe = Type.Optional;

/** What `type` may say of an agent. */
export const AGENT_TYPES = ['http', 'command', 'module', 'python', 'langchain'] as const;

const millisecondsOfCall = { minimum: 1000, maximum: 300_000 };

/** Keys of an agent that is not a workflow, wherever it is bound. */
export const outsideAgentKeys = {
  type: maybe(oneOf(AGENT_TYPES, 'How it is called; left out: what the other keys say, `http` with an endpoint.')),
  endpoint: maybe(
    text('Its URL, or `module:attribute` for python and langchain; `$NAME` stands for a granted variable.'),
  ),
  method: maybe(text('HTTP method: GET, POST, PUT, PATCH or DELETE; default POST.')),
  headers: maybe(mapOf(Type.String(), 'HTTP headers; `$NAME` stands for a granted variable.')),
  query_params: maybe(mapOf(Type.String(), 'Query parameters; `$NAME` stands for a granted variable.')),
  request_template: maybe(
    text('The request, with `{prompt}` and `{field}` places; left out: `{"input": "{prompt}"}`.'),
  ),
  response_path: maybe(text('Where the answer is, such as `$.choices[0].message.content`.')),
  parse_structured_input: maybe(flag('Whether lines `field: value` of a prompt fill places; default true.')),
  command: maybe(texts('Program and arguments; the prompt goes to its standard input.')),
  module: maybe(text('JavaScript module, relative to this file, whose function or object with `invoke` is asked.')),
  export: maybe(text('Name of what the module exports; default `default`.')),
  input_key: maybe(
    text(
      'Key of the object that a module or runnable gets the prompt in; left out: the one that it asks for, else text.',
    ),
  ),
  python: maybe(text('`module:attribute` of a Python callable.')),
  timeout: maybe(
    Type.Integer({ ...millisecondsOfCall, description: 'Milliseconds of one call, 1000 to 300000; default 30000.' }),
  ),
  timeout_ms: maybe(Type.Integer({ minimum: 1, description: 'The same without bounds.' })),
  retries: maybe(
    Type.Integer({ minimum: 0, maximum: 10, description: 'Tries after a call that did not get through; default 2.' }),
  ),
  stateless: maybe(
    flag('True: it keeps nothing from call to call, so that it is asked several things at a time and never reset.'),
  ),
  concurrency: maybe(
    Type.Integer({ minimum: 1, maximum: 1000, description: 'Calls at a time, where it is stateless; default 10.' }),
  ),
  reset_endpoint: maybe(text('URL that a POST brings it back to its first state with; a path is that of its host.')),
  reset_function: maybe(text('`module:function` that brings it back to its first state.')),
};

/** `[agent]`: a subject that is not a workflow. */
export const agentSchema = strictTable(
  {
    ...outsideAgentKeys,
    isolation: maybe(
      oneOf(['cell', 'trial'], 'When it is brought back: for each column and list of prompts, or each trial.'),
    ),
    proxy_port: maybe(
      Type.Integer({ minimum: 0, maximum: 65_535, description: 'Port of the proxy for its own calls; 0: any.' }),
    ),
    proxy_tools: maybe(
      mapOf(Type.String(), 'Tools that it reaches as `/tools/NAME/…` of the proxy: the URL behind each.'),
    ),
    upstream: maybe(
      text(
        'Where model calls of the proxy go; left out: to OpenAI, or to Anthropic or Gemini for what has their format.',
      ),
    ),
  },
  'A subject that is not a workflow.',
);
