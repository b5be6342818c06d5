import type { ValidatorType } from '../../plugin/validator-type.ts';
import { showName, showValue } from '../show-value.ts';
import { fieldOf, objectsOf, textOf, toolRequestsOf } from './answer-parts.ts';
import { isJsonObject } from '../../values/is-json.ts';
import { contentOf, judgedBy, partWith } from './reading.ts';

/** `has-tool-request[:name]`: the answer asks for a tool; the first that it asks for is the named one. */
export const hasToolRequest: ValidatorType = {
  kind: 'validator',
  type: 'has-tool-request',
  summary: 'The answer asks for a tool; if one is named, the first that it asks for is that one.',
  argument: { is: 'optional', what: 'the name of the tool' },
  validate: judgedBy((answer, wanted, reading) => {
    const content = contentOf(answer, reading);
    if (content === null) return `The answer has no message with content: ${showValue(answer.response)}.`;
    const part = partWith('toolRequest', content, reading);
    if (part === undefined) return `The answer asks for no tool: ${showValue(content)}.`;
    const name = textOf(fieldOf(part, 'toolRequest'), 'name');
    if (wanted === '' || name === wanted) return null;
    const tool = name === null ? `a tool without a name: ${showValue(part)}` : `the tool ${showName(name)}`;
    return `The answer asks for ${tool}, not for ${showName(wanted)}.`;
  }),
};

/** `tool-input-schema`: the input of each tool request fits the schema that the request declares for the tool of that name. */
export const toolInputSchema: ValidatorType = {
  kind: 'validator',
  type: 'tool-input-schema',
  summary: 'The answer asks for tools that the request declares, each with an input that fits its schema.',
  argument: { is: 'none', what: '' },
  checkInput: (input) => (objectsOf(input, 'tools').length === 0 ? 'The request declares no `tools`.' : null),
  validate: ({ input, response }, _argument, { violations }) => {
    const requests = toolRequestsOf(response);
    if (requests.length === 0) return 'The answer asks for no tool.';
    const tools = objectsOf(input, 'tools');
    for (const request of requests) {
      const name = textOf(request, 'name');
      const tool = tools.find((one) => name !== null && textOf(one, 'name') === name);
      if (tool === undefined) return `The answer asks for a tool that is not declared: ${showValue(request)}.`;
      const schema = fieldOf(tool, 'inputSchema');
      if (!isJsonObject(schema)) continue;
      const value = fieldOf(request, 'input');
      if (value === undefined) return `The request for the tool ${showName(name ?? '')} has no \`input\`.`;
      const [first] = violations(schema, value);
      if (first !== undefined) {
        return `The input of the tool ${showName(name ?? '')} does not fit its schema: ${first}, in ${showValue(value)}.`;
      }
    }
    return null;
  },
};

/** Requests that one answer must have where the test names no number. */
const PARALLEL = 2;

/** `parallel-tools[:n]`: one answer has at least n tool requests, each with a `ref` of its own. */
export const parallelTools: ValidatorType = {
  kind: 'validator',
  type: 'parallel-tools',
  summary: 'One answer has at least so many tool requests, 2 if no number is given, each with a `ref` of its own.',
  argument: { is: 'optional', what: 'how many, from 2' },
  checkArgument: (argument) =>
    /^(?:[2-9]|[1-9]\d{1,3})$/.test(argument) ? null : 'A number of tool requests is from 2 to 9999.',
  validate: ({ response }, argument) => {
    const wanted = argument === null ? PARALLEL : Number(argument);
    const requests = toolRequestsOf(response);
    const refs = new Set(requests.map((request) => textOf(request, 'ref')).filter(Boolean));
    if (refs.size >= wanted) return null;
    const few = `${requests.length} tool ${requests.length === 1 ? 'request' : 'requests'}`;
    const distinct = requests.length < wanted ? '' : `, of which ${refs.size} can be told apart by their \`ref\``;
    return `The answer has ${few}${distinct}, not ${wanted}: ${showValue([...requests])}.`;
  },
};
