import { Type } from '../source/schema-type.ts';
import { mapOf, strictTable, text } from '../workflow/schema-parts.ts';

const maybe = Type.Optional;

/** Tests of a text, as a table. */
export const textTests = strictTable(
  { contains: maybe(text('Text that must be in it.')), matches: maybe(text('Pattern it must match (RE2 syntax).')) },
  'What must be in it.',
);

/** A test of one text. */
export function textMatch(description: string) {
  return Type.Union([Type.String(), textTests], {
    description: `${description} Exactly, or {contains = …, matches = …}.`,
  });
}

const queryValue = Type.Union([Type.String(), Type.Number(), Type.Boolean(), textTests]);

/** Method, URL and query of an HTTP request. */
export const targetKeys = {
  method: maybe(
    Type.Union([Type.String(), Type.Array(Type.String())], {
      description: 'Method, or a list of methods; left out: any.',
    }),
  ),
  url: maybe(text('Exact URL, a beginning that ends with *, or with * for segments of its path and parts of them.')),
  url_matches: maybe(text('Pattern that the URL must match (RE2 syntax).')),
  query: maybe(
    mapOf(
      Type.Union([queryValue, Type.Array(queryValue)]),
      'Parameters that must be there, in any order; url is then compared without its query.',
    ),
  ),
};

/** Headers and body of an HTTP request. */
export const contentKeys = {
  headers: maybe(mapOf(textMatch('The header of that name.'), 'Headers the node must send.')),
  body: maybe(text('The whole body.')),
  body_contains: maybe(text('Text the body must contain.')),
  body_matches: maybe(text('Pattern the body must match (RE2 syntax).')),
  body_json: maybe(
    Type.Unknown({ description: 'What the body must hold as JSON: tables may have more keys, lists must be as long.' }),
  ),
};

/** Arguments of a program. */
export const argsKeys = {
  args: maybe(Type.Array(textMatch('One argument.'), { description: 'All arguments, one by one; left out: any.' })),
  args_contain: maybe(Type.Array(textMatch('One argument.'), { description: 'Each is among the arguments.' })),
};

/** Arguments of an MCP tool. */
export const toolArgs = Type.Unknown({
  description: 'What the arguments must hold: tables may have more keys, lists must be as long.',
});
