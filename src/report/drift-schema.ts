import { DRIFT_RULES } from '../types/drift.ts';
import { PAYMENTS } from '../types/forecast.ts';
import type { JsonObject } from '../types/json.ts';
import { count, fraction, list, measure, nullable, object, oneOf, reasons, strings, text } from './schema-parts.ts';

const number: JsonObject = { type: 'number' };

function pair(items: JsonObject, description?: string): JsonObject {
  return { ...list(items, description), minItems: 2, maxItems: 2 };
}

const run = object({ trials: count(), passed: count(), broken: count(), passRate: nullable(fraction()) });

const status = oneOf('regressed', 'improved', 'unchanged', 'undecided');

const tokens = object({
  status: oneOf('risen', 'fallen', 'within', 'unknown'),
  before: nullable(measure('Mean tokens per trial.')),
  after: nullable(measure()),
  change: nullable({ ...number, description: 'After / before - 1.' }),
  interval: nullable(pair(number, '95 % interval of after - before; null: the trials do not tell their spread.')),
  p: nullable(fraction('Two-sided (Welch); null where chance plays no part.')),
  q: nullable(fraction('p, corrected over scenarios; of the suite p itself.')),
});

const scenario = object({
  name: text(),
  file: nullable(text()),
  status,
  changed: { type: ['boolean', 'null'], description: 'What was run differs; null: the baseline does not say.' },
  nondeterministic: { type: 'boolean', description: 'The same program with the same draws gave other verdicts.' },
  comparison: oneOf('paired', 'unpaired'),
  why: text('Why they were compared so.'),
  before: run,
  after: run,
  difference: nullable({ ...number, description: 'After - before of the pass rate, over the compared trials.' }),
  interval: nullable(pair(number, '95 % interval of the difference.')),
  pairs: nullable(object({ trials: count(), lost: count(), gained: count() })),
  test: { enum: ['mcnemar', 'fisher', 'exact_repeat', 'constant', null] },
  p: nullable(fraction('Two-sided; null where chance plays no part.')),
  noiseFloor: nullable(fraction('The smallest drop that these trials show with a chance of 80 %; null: none.')),
  tokens,
  q: nullable(fraction('p, corrected over scenarios (Benjamini-Hochberg).')),
});

const names = (description: string): JsonObject => list(object({ name: text(), file: nullable(text()) }), description);

/** How a run compares with its baseline, as JSON Schema. */
export const driftSchema: JsonObject = {
  ...object({
    verdict: oneOf('pass', 'fail', 'insufficient'),
    rule: oneOf(...DRIFT_RULES),
    alpha: fraction('Highest chance to fail a run in which nothing has changed, over all comparisons.'),
    comparisons: count('Comparisons with this baseline that share alpha.'),
    levels: {
      ...object({ scenarios: fraction(), suite: fraction(), scenarioTokens: fraction(), suiteTokens: fraction() }),
      description: 'Two-sided level of each question; half of it is for getting worse.',
    },
    tokenTolerance: measure('Relative rise of tokens per trial that is tolerated.'),
    margin: nullable(fraction("Fall of the suite's mean pass rate that is tolerated; null: none beyond chance.")),
    baseline: object({
      kind: oneOf('baseline', 'report', 'reference'),
      passk: nullable(text('Version of passk that ran.')),
      seed: nullable(count()),
    }),
    notes: strings('How far the comparison is valid.'),
    reasons: strings('One sentence for each regression.'),
    scenarios: list(scenario, 'Scenarios of both runs, in the order of this one.'),
    added: names('Scenarios that the baseline has not.'),
    vanished: names('Scenarios that this run has not.'),
    overall: object({
      scenarios: count(),
      status,
      before: nullable(fraction('Mean over scenarios of the pass rate.')),
      after: nullable(fraction()),
      difference: nullable({ ...number, description: 'Mean over scenarios of after - before of the pass rate.' }),
      interval: nullable(pair(number, '95 %, for more trials of these scenarios.')),
      test: { enum: ['permutation', 'non_inferiority', null] },
      p: nullable(fraction('Two-sided; of non_inferiority at the margin.')),
      population: nullable({
        ...object({ interval: pair(number, "95 %, Student's t."), p: fraction('Two-sided, sign-flip permutation.') }),
        description: 'For scenarios like these, of which these are a sample.',
      }),
      tokens,
      costPerSuccess: object({ before: nullable(measure()), after: nullable(measure()) }),
      noiseFloor: object({
        median: nullable(fraction()),
        worst: nullable(fraction()),
        blind: count('Scenarios whose trials could show no drop at all.'),
        suite: nullable(fraction('Of all scenarios alike.')),
      }),
    }),
  }),
  description: 'How it compares with its baseline; absent without one.',
};

const usdInterval = nullable(
  pair(nullable(measure()), '95 %, for more trials of these scenarios; an upper end of null: none failed.'),
);

/** What it costs to go on, as JSON Schema. */
export const forecastSchema: JsonObject = {
  ...object({
    tokensPerSuccess: nullable(measure('Tokens of all trials over passing trials.')),
    tokensInterval: usdInterval,
    prices: nullable(
      object({ input: measure(), output: measure(), cached: measure(), batch: measure() }, ['cached', 'batch']),
    ),
    payments: list(
      object({ payment: oneOf(...PAYMENTS), usdPerSuccess: nullable(measure()), interval: usdInterval }),
      'One for each way to pay that the prices know.',
    ),
    rows: list(
      object({
        runsPerDay: measure('Successful runs.'),
        tokensPerDay: nullable(measure()),
        tokensPerMonth: nullable(measure('Of 30 days.')),
        usdPerMonth: list(object({ payment: oneOf(...PAYMENTS), usd: nullable(measure()), interval: usdInterval })),
      }),
    ),
    reasons,
  }),
  description: 'What it costs to go on; absent unless asked for.',
};
