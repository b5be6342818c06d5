import { Type } from '../../source/schema-type.ts';
import { tellZeroShare } from '../../workflow/zero-share.ts';
import { numberAt, textAt } from '../../workflow/raw-data.ts';
import { requiredText } from '../../workflow/required-values.ts';
import { text } from '../../workflow/schema-parts.ts';
import type { InvariantSchema } from './invariant-schema.ts';
import type { RuleOf } from './invariant-type.ts';

const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

const HINT = 'Texts that have nothing in common have a similarity of 0: say a threshold above it.';

const similarityThreshold = share('For `behavior_unchanged`: lowest similarity; default 0.75.');

export const similarToSchema: InvariantSchema<RuleOf<'similarity'>> = {
  type: 'similarity',
  keys: {
    expected: text('For `similarity`: the text to be like.'),
    threshold: share('For `similarity`: lowest similarity; default 0.8.'),
    similarity_threshold: similarityThreshold,
  },
  read: (table, at, { report }) => {
    const key = numberAt(table, 'threshold') === undefined ? 'similarity_threshold' : 'threshold';
    tellZeroShare(table, key, { at, report, hint: HINT });
    return {
      type: 'similarity',
      expected: requiredText(table, 'expected', at, report, 'Say what the answer has to be like.'),
      threshold: numberAt(table, key) ?? 0.8,
    };
  },
};

export const behaviorUnchangedSchema: InvariantSchema<RuleOf<'behavior_unchanged'>> = {
  type: 'behavior_unchanged',
  keys: {
    baseline: text('For `behavior_unchanged`: the text to be like, or `auto` for the answer without chaos.'),
    similarity_threshold: similarityThreshold,
  },
  read: (table, at, { report }) => {
    tellZeroShare(table, 'similarity_threshold', { at, report, hint: HINT });
    const baseline = textAt(table, 'baseline') ?? 'auto';
    return {
      type: 'behavior_unchanged',
      baseline: baseline === 'auto' ? null : baseline,
      threshold: numberAt(table, 'similarity_threshold') ?? 0.75,
    };
  },
};
