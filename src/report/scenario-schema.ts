import type { JsonObject } from '../types/json.ts';
import { COUNTERS, SAMPLERS } from '../types/scenario.ts';
import { STATUSES, STOPS } from '../types/trial.ts';
import { firedFaults } from './contract-schema.ts';
import { exactSchema } from './exact-schema.ts';
import {
  anything,
  count,
  fraction,
  issues,
  list,
  location,
  measure,
  nullable,
  object,
  oneOf,
  reasons,
  record,
  strings,
  text,
  trialCounts,
} from './schema-parts.ts';

const finding: JsonObject = object(
  {
    check: text("The check's stable name."),
    verdict: oneOf('pass', 'fail', 'not_applicable', 'error'),
    expected: anything,
    got: anything,
    at: text('The node or step it is about.'),
    message: text(),
  },
  ['at'],
);

const recordedTrace: JsonObject = {
  ...object({ events: list(anything), omitted: count('Events after these that did not fit.') }),
  description: 'The trial step by step, recorded while it ran; absent where it can be run again.',
};

const trialRecord: JsonObject = {
  type: 'object',
  properties: { version: count('Version of its shape.'), trial: count(), turns: list(anything), calls: {} },
  required: ['version', 'trial', 'turns', 'calls'],
  description: 'What was said and done in the trial, where no workflow was tried: a `TrialRecord`, cut to 256 KiB.',
};

const failure: JsonObject = object(
  {
    trial: count('Counts from 0.'),
    verdict: oneOf('failed', 'broken'),
    findings: list(finding),
    path: strings('Nodes in the order walked, repeats included.'),
    status: nullable(oneOf(...STATUSES)),
    stoppedBy: nullable(oneOf(...STOPS)),
    reason: nullable(text()),
    brokenBy: nullable(text('Why the harness failed.')),
    fired: strings('Declared faults that fired in this trial; absent: none is declared.'),
    trace: recordedTrace,
    record: trialRecord,
    replay: nullable(text('The command that shows this trial step by step; null: nothing can run it again.')),
  },
  ['fired', 'trace', 'record'],
);

const costSchema: JsonObject = object({
  first: nullable(record(COUNTERS, 'The first trial alone.')),
  mean: nullable(record(COUNTERS, 'Per trial.')),
  total: record(COUNTERS, 'All trials.'),
  deviation: nullable(measure('Standard deviation of the tokens of one trial; null for fewer than two.')),
  perSuccess: nullable(measure('Tokens of all trials over passing trials.')),
  perSuccessInterval: nullable({
    ...list(
      nullable(measure()),
      '95 %, for more trials of it; an upper end of null: none failed, so a failure may cost anything. null for one trial or with stopEarly.',
    ),
    minItems: 2,
    maxItems: 2,
  }),
});

/** One scenario's part of the report. */
export const scenarioSchema: JsonObject = object(
  {
    name: text(),
    file: text('Relative to the root of the suite, with `/`.'),
    at: { ...location, description: 'What did not hold; looked up for the first failing scenarios only.' },
    description: nullable(text()),
    tags: strings(),
    capabilities: strings('What its author claims.'),
    verdict: oneOf('passed', 'failed', 'load_error'),
    belowFloor: fraction("The suite's floor, where that alone failed it: it clears its own bar."),
    loadErrors: issues('Problems that kept it from running.'),
    pure: { type: 'boolean', description: 'Every answer came from the plan: the same seed gives the same bytes.' },
    effects: {
      ...list(
        oneOf('http', 'process', 'mcp', 'env', 'file'),
        "What the real world could answer, by the user's grants.",
      ),
      minItems: 1,
    },
    seed: count(),
    sampler: oneOf(...SAMPLERS),
    trials: trialCounts,
    stopEarly: {
      ...object(
        {
          rule: oneOf('curtail', 'sprt'),
          verdict: nullable(oneOf('pass', 'fail', 'insufficient')),
          test: object({ bad: fraction(), good: fraction(), falsePass: fraction(), falseFail: fraction() }),
          reason: text('Why it stopped, or went on to the end.'),
        },
        ['test'],
      ),
      description: 'What could end it before all requested trials had run; absent: nothing could.',
    },
    passRate: nullable(fraction('Passed over passed, failed and broken.')),
    passRateInterval: nullable({
      ...list(fraction(), '95 %: Wilson score interval; with stopEarly a confidence sequence.'),
      minItems: 2,
      maxItems: 2,
    }),
    strictPassK: nullable({
      type: 'integer',
      minimum: 0,
      maximum: 1,
      description: '1 when every trial passed, else 0.',
    }),
    passHatK: list(object({ k: count(), value: fraction() }), 'Unbiased chance that k trials all pass.'),
    minPassRate: nullable(fraction('Its own bar; null: every trial must pass.')),
    exact: exactSchema,
    cost: costSchema,
    statuses: record(STATUSES),
    stoppedBy: {
      ...object(Object.fromEntries(STOPS.map((stop) => [stop, count()])), STOPS),
      description: 'What ended the trials; kinds that never happened are left out.',
    },
    virtualMs: object({ mean: nullable(measure()), max: measure() }),
    checks: list(object({ check: text(), failed: count() }), 'Failed checks, most frequent first.'),
    failureClasses: list(
      object({ checks: strings(), count: count(), lowestTrial: count() }),
      'Which checks fail together, most frequent first.',
    ),
    failures: list(failure, 'The lowest failing and broken trials in full.'),
    brokenCauses: list(
      object({ cause: text(), count: count(), lowestTrial: count() }),
      'Why trials are broken, most frequent first; absent: none is.',
    ),
    notRun: count('Broken trials that were not run, because trials before them ended their workers or hung too often.'),
    nodes: list(object({ node: text(), type: text(), visits: count() })),
    edges: list(object({ from: text(), to: text(), when: nullable(text()), visits: count() })),
    turns: list(object({ turn: text(), served: list(count()) }), 'How often each variant was served.'),
    observed: strings('Capabilities seen in passing trials.'),
    chaos: firedFaults,
    calls: strings('Names of the calls of tools that were seen.'),
    rulings: list(
      object({
        check: text(),
        judged: count(),
        struck: count(),
        disobeyedStruck: count(),
        undecided: count(),
        unasked: count(),
      }),
      'How often each invariant could be judged.',
    ),
    reasons,
  },
  [
    'at',
    'belowFloor',
    'effects',
    'stopEarly',
    'exact',
    'brokenCauses',
    'notRun',
    'chaos',
    'calls',
    'rulings',
    'contract',
  ],
);
