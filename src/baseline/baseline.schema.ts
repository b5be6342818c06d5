import { Type } from '../source/schema-type.ts';
import { BASELINE_FORMAT } from '../types/baseline.ts';
import { REPORT_SCHEMA } from '../types/reports/report.ts';
import { MOST_TRAIL_CALLS } from '../types/sessions/session-trail.ts';
import { COUNTERS } from '../types/trial.ts';

const count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const trials = Type.Integer({ minimum: 0, maximum: 2 ** 32 });
const word = Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1 });
const rate = Type.Number({ minimum: 0, maximum: 1 });
const text = Type.String();
const perSuccess = Type.Union([Type.Null(), Type.Number({ minimum: 0 })]);
const sampler = Type.Union([Type.Literal('seeded'), Type.Literal('reference')]);
/** Null: nobody tells it. */
const counter = Type.Union([count, Type.Null()]);
/** Counters of later versions are left alone; those of earlier ones may be absent. */
const counters = Type.Object(Object.fromEntries(COUNTERS.map((name) => [name, Type.Optional(counter)])));

/** The calls of one session. */
const trail = Type.Object({
  trial: trials,
  made: count,
  digest: Type.String({ pattern: '^[0-9a-f]{16}$' }),
  calls: Type.Array(
    Type.Object({
      message: Type.Union([Type.Null(), count]),
      by: Type.Optional(text),
      tool: text,
      args: text,
    }),
    { maxItems: MOST_TRAIL_CALLS },
  ),
});

/** What a baseline file must hold; keys beyond it are left alone. */
export const baselineSchema = Type.Object({
  format: Type.Literal(BASELINE_FORMAT),
  passk: text,
  seed: count,
  scenarios: Type.Array(
    Type.Object({
      name: text,
      file: text,
      sampler,
      words: Type.Array(word, { minItems: 4, maxItems: 4 }),
      digest: Type.String({ pattern: '^[0-9a-f]{64}$' }),
      pure: Type.Boolean(),
      live: Type.Boolean(),
      constant: Type.Boolean(),
      trials,
      passed: trials,
      failed: trials,
      broken: trials,
      spoilt: Type.Optional(trials),
      whole: Type.Boolean(),
      stopped: Type.Optional(Type.Boolean()),
      passRate: Type.Union([Type.Null(), rate]),
      total: counters,
      tokensSquared: Type.String({ pattern: '^(0|[1-9][0-9]{0,39})$' }),
      verdicts: text,
      calls: Type.Optional(trail),
    }),
  ),
});

/** The part of a passk report that can be compared. */
export const reportBaselineSchema = Type.Object({
  schema: Type.Literal(REPORT_SCHEMA),
  passk: text,
  seed: count,
  partial: Type.Boolean(),
  scenarios: Type.Array(
    Type.Object({
      name: text,
      file: text,
      verdict: text,
      trials: Type.Object({ passed: trials, failed: trials, broken: trials }),
      cost: Type.Object({ total: counters }),
      session: Type.Optional(Type.Object({ user: Type.Optional(Type.Object({ leftOut: trials })) })),
    }),
  ),
  results: Type.Optional(Type.Array(Type.Object({ kind: text }))),
});

/** The part of its results of models that can be compared. */
export const modelResultsSchema = Type.Array(
  Type.Object({
    name: text,
    file: text,
    cells: Type.Array(
      Type.Object({
        model: text,
        test: text,
        trials: Type.Object({ passed: trials, failed: trials, broken: trials }),
        tokens: count,
      }),
    ),
  }),
);

/** The JSON report of agentd-conformance, which is its baseline as well; what it leaves out counts as 0, as there. */
export const referenceSchema = Type.Object({
  scenarios: Type.Array(
    Type.Object({
      name: text,
      trials: Type.Optional(trials),
      passed_trials: Type.Optional(trials),
      pass_rate: Type.Optional(rate),
      cost_per_success_tokens: Type.Optional(perSuccess),
      load_error: Type.Optional(Type.Union([Type.Null(), text])),
    }),
  ),
});
