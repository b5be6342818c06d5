import { compileJsonSchema } from '../../../src/engine/compile-json-schema.ts';
import { validatorTypes } from '../../../src/checks/validators/builtin.ts';
import { parseValidator } from '../../../src/checks/validators/parse-validator.ts';
import { validatorOptions } from '../../../src/checks/validators/validator-options.ts';
import type { ValidatedAnswer, ValidatorType } from '../../../src/plugin/validator-type.ts';
import type { Json, JsonObject } from '../../../src/types/json.ts';
import type { Compat } from '../../../src/types/model-test.ts';

export const TYPES: ReadonlyMap<string, ValidatorType> = new Map(validatorTypes.map((one) => [one.type, one]));

/** Why the answer fails the validator, as a test names it; null: it passes. */
export function judge(named: string, answer: Partial<ValidatedAnswer>, compat: Compat = 'both'): string | null {
  const parsed = parseValidator(named, TYPES);
  if ('problem' in parsed) throw new Error(parsed.problem);
  const { type, argument } = parsed.use;
  const whole: ValidatedAnswer = { input: {}, response: null, chunks: null, ...answer };
  return (TYPES.get(type) as ValidatorType).validate(whole, argument, validatorOptions(compat, compileJsonSchema));
}

/** A response of one message with these parts. */
export function said(...content: readonly Json[]): { readonly response: JsonObject } {
  return { response: { message: { role: 'model', content }, finishReason: 'stop' } };
}

/** Chunks of these contents, 20 ms apart. */
export function streamed(...contents: readonly (readonly Json[])[]): Pick<ValidatedAnswer, 'chunks'> {
  return { chunks: contents.map((content, index) => ({ atMs: 20 * (index + 1), chunk: { content } })) };
}

export const WEATHER_TOOL: JsonObject = {
  name: 'weather',
  description: 'Get the weather for a city',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

/** A part that asks for the weather of New York. */
export const ASKS: JsonObject = { toolRequest: { name: 'weather', input: { city: 'New York' }, ref: 'a' } };
