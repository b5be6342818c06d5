import { Type } from '../../source/schema-type.ts';
import { numberAt } from '../../workflow/raw-data.ts';
import { requiredText } from '../../workflow/required-values.ts';
import { text } from '../../workflow/schema-parts.ts';
import type { InvariantSchema } from './invariant-schema.ts';
import type { RuleOf } from './invariant-type.ts';

const tool = text('For `tool_called` and `tool_not_called`: a glob on the name of the tool.');

export const toolCalledSchema: InvariantSchema<RuleOf<'tool_called'>> = {
  type: 'tool_called',
  keys: {
    tool,
    at_least: Type.Integer({ minimum: 1, description: 'For `tool_called`: calls at least; default 1.' }),
  },
  read: (table, at, { report }) => ({
    type: 'tool_called',
    tool: requiredText(table, 'tool', at, report),
    atLeast: numberAt(table, 'at_least') ?? 1,
  }),
};

export const toolNotCalledSchema: InvariantSchema<RuleOf<'tool_not_called'>> = {
  type: 'tool_not_called',
  keys: { tool },
  read: (table, at, { report }) => ({ type: 'tool_not_called', tool: requiredText(table, 'tool', at, report) }),
};
