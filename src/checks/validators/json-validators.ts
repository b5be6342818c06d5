import type { ValidatorType } from '../../plugin/validator-type.ts';
import type { Json, JsonObject } from '../../types/json.ts';
import { isJsonObject } from '../../values/is-json.ts';
import { showText, showValue } from '../show-value.ts';
import { fieldOf, joinedText, partsOf } from './answer-parts.ts';
import { isJson, jsonOf } from './json-text.ts';
import { contentOf, judgedBy, partWith } from './reading.ts';

/** `valid-json`: the first text part is one JSON value, of any type. */
export const validJson: ValidatorType = {
  kind: 'validator',
  type: 'valid-json',
  summary: 'The first text part is one JSON value.',
  argument: { is: 'none', what: '' },
  validate: judgedBy((answer, _argument, reading) => {
    const content = contentOf(answer, reading);
    if (content === null) return `The answer has no message with content: ${showValue(answer.response)}.`;
    const part = partWith('text', content, reading);
    if (part === undefined) return `The answer has no text that could be JSON: ${showValue(content)}.`;
    const text = fieldOf(part, 'text') ?? null;
    return typeof text === 'string' && isJson(text, reading) ? null : `The text is no JSON: ${showValue(text)}.`;
  }),
};

/** `matches-schema`: the answer is JSON that fits the `output.schema` of the request. */
export const matchesSchema: ValidatorType = {
  kind: 'validator',
  type: 'matches-schema',
  summary: 'The text, or else a data part, is JSON that fits the output schema of the request.',
  argument: { is: 'none', what: '' },
  checkInput: (input) => (schemaOf(input) === null ? NO_SCHEMA : null),
  validate: ({ input, response }, _argument, { violations }) => {
    const schema = schemaOf(input);
    if (schema === null) return NO_SCHEMA;
    const parts = partsOf(response);
    const text = joinedText(parts);
    const value = text === '' ? dataOf(parts) : jsonOf(text);
    if (value === undefined) return text === '' ? 'The answer has no JSON.' : `The text is no JSON: ${showText(text)}.`;
    const [first] = violations(schema, value);
    return first === undefined ? null : `The JSON does not fit the output schema: ${first}, in ${showValue(value)}.`;
  },
};

const NO_SCHEMA = 'The request has no `output.schema` that the answer could fit.';

function schemaOf(input: JsonObject): JsonObject | null {
  const schema = fieldOf(fieldOf(input, 'output'), 'schema');
  return isJsonObject(schema) ? schema : null;
}

function dataOf(parts: readonly JsonObject[]): Json | undefined {
  return parts.map((part) => fieldOf(part, 'data')).find((data) => data !== undefined);
}
