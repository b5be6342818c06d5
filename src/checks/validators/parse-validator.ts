import type { ValidatorType } from '../../plugin/validator-type.ts';
import { hintFor } from '../../text/did-you-mean.ts';
import type { ModelTest, ValidatorUse } from '../../types/model-test.ts';
import { showText } from '../show-value.ts';

/** What a text such as `text-includes:21` names, or why it names nothing. */
export type ParsedValidator = { readonly use: ValidatorUse } | { readonly problem: string; readonly hint: string };

/**
 * Reads a validator as tests name it: what stands behind the first colon is its argument, and an empty one is none. `types`: all
 * there are.
 */
export function parseValidator(text: string, types: ReadonlyMap<string, ValidatorType>): ParsedValidator {
  const colon = text.indexOf(':');
  const name = colon === -1 ? text : text.slice(0, colon);
  const argument = colon === -1 ? '' : text.slice(colon + 1);
  const type = types.get(name);
  if (type === undefined) {
    return {
      problem: `There is no validator ${showText(name)}.`,
      hint: hintFor(name, [...types.keys()], 'validators'),
    };
  }
  const { is, what } = type.argument;
  if (argument === '') {
    if (is !== 'required') return { use: { type: name, argument: null } };
    return { problem: `The validator \`${name}\` needs an argument.`, hint: `Write \`${name}:…\`, with ${what}.` };
  }
  if (is === 'none') {
    return { problem: `The validator \`${name}\` takes no argument.`, hint: `Write \`${name}\`.` };
  }
  const wrong = type.checkArgument?.(argument) ?? null;
  if (wrong !== null) {
    return { problem: `\`${name}\` cannot take the argument ${showText(argument)}.`, hint: wrong };
  }
  return { use: { type: name, argument } };
}

/** Why the validator can judge no answer to the test; null: it can. */
export function misfitOf(type: ValidatorType, { input, stream }: Pick<ModelTest, 'input' | 'stream'>): string | null {
  if (type.streams === true && !stream) {
    return `\`${type.type}\` looks at chunks, but the test asks for no stream: it needs \`stream: true\`.`;
  }
  const wrong = type.checkInput?.(input) ?? null;
  return wrong === null ? null : `\`${type.type}\` cannot judge this test. ${wrong}`;
}
