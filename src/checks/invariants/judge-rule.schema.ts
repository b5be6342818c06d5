import { textAt } from '../../workflow/raw-data.ts';
import { requiredText } from '../../workflow/required-values.ts';
import { flag, text } from '../../workflow/schema-parts.ts';
import { checkFaithful } from '../faithful/check-faithful.ts';
import { faithfulKeys } from '../faithful/faithful.schema.ts';
import { faithfulOf } from '../faithful/read-faithful.ts';
import type { InvariantSchema } from './invariant-schema.ts';
import type { RuleOf } from './invariant-type.ts';

const judge = text(
  'For `judge`, `prefers` and `faithful`: the name of one of [[judges]] in passk.toml; `faithful` is a heuristic without one.',
);

const NAMED = 'The name of one of [[judges]] in passk.toml.';

export const judgedSchema: InvariantSchema<RuleOf<'judge'>> = {
  type: 'judge',
  keys: { judge },
  read: (table, at, { report }) => ({ type: 'judge', judge: requiredText(table, 'judge', at, report, NAMED) }),
};

export const preferredSchema: InvariantSchema<RuleOf<'prefers'>> = {
  type: 'prefers',
  keys: {
    judge,
    over: text("For `prefers`: the answer that the trial's must be better than."),
    ties: flag('For `prefers`: true where an answer as good as that is enough.'),
  },
  read: (table, at, { report }) => ({
    type: 'prefers',
    judge: requiredText(table, 'judge', at, report, `${NAMED} It compares.`),
    over: requiredText(table, 'over', at, report, 'Say what the answer has to be better than.'),
    ...(table['ties'] === true && { ties: true }),
  }),
};

export const faithfulSchema: InvariantSchema<RuleOf<'faithful'>> = {
  type: 'faithful',
  keys: { ...faithfulKeys, judge },
  read: (table, at, { report }) => {
    if (textAt(table, 'judge') === '') requiredText(table, 'judge', at, report, NAMED);
    checkFaithful(table, { at, report });
    return { type: 'faithful', ...faithfulOf(table) };
  },
};
