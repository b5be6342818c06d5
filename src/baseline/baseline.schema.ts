import { openSchema } from '../schema/open-schema.ts';
import { Type } from '../source/schema-type.ts';
import { REPORT_SCHEMA } from '../types/report.ts';
import { COUNTERS } from '../types/scenario.ts';
import baseline from '../types/schemas/baseline.json' with { type: 'json' };

const count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const trials = Type.Integer({ minimum: 0, maximum: 2 ** 32 });
const rate = Type.Number({ minimum: 0, maximum: 1 });
const text = Type.String();
const perSuccess = Type.Union([Type.Null(), Type.Number({ minimum: 0 })]);
/** Counters of later versions are left alone; those of earlier ones may be absent. */
const counters = Type.Object(Object.fromEntries(COUNTERS.map((name) => [name, Type.Optional(count)])));

/** What a baseline file must hold; keys beyond it are left alone. */
export const baselineSchema = openSchema(baseline);

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
    }),
  ),
});

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
