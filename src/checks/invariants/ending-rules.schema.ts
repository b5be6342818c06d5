import { STOPS } from '../../types/trial.ts';
import { textAt } from '../../workflow/raw-data.ts';
import { requiredText } from '../../workflow/required-values.ts';
import { oneOf, text } from '../../workflow/schema-parts.ts';
import type { InvariantSchema } from './invariant-schema.ts';
import type { RuleOf } from './invariant-type.ts';

export const completesSchema: InvariantSchema<RuleOf<'completes'>> = {
  type: 'completes',
  keys: {},
  read: () => ({ type: 'completes' }),
};

export const policyDeniedSchema: InvariantSchema<RuleOf<'policy_denied'>> = {
  type: 'policy_denied',
  keys: { target: text('For `policy_denied`: a part of what was denied.') },
  read: (table) => {
    const target = textAt(table, 'target');
    return { type: 'policy_denied', ...(target === undefined ? {} : { target }) };
  },
};

export const stoppedBySchema: InvariantSchema<RuleOf<'stopped_by'>> = {
  type: 'stopped_by',
  keys: { stop: oneOf(STOPS, 'For `stopped_by`: what must have stopped the run.') },
  read: (table, at, { report }) => ({
    type: 'stopped_by',
    stop: requiredText(table, 'stop', at, report, `One of ${STOPS.join(', ')}.`),
  }),
};
