import { Type } from '../source/schema-type.ts';
import { HISTORY_FORMAT } from '../types/reports/history.ts';

const count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const rate = Type.Number({ minimum: 0, maximum: 1 });
const measure = Type.Union([Type.Null(), Type.Number({ minimum: 0 })]);
const text = Type.String();
const oneOf = (...words: readonly string[]) => Type.Union(words.map((word) => Type.Literal(word)));

/** What a file of a history must hold; keys beyond it are left alone. */
export const historyFileSchema = Type.Object({
  format: Type.Literal(HISTORY_FORMAT),
  digest: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  run: Type.Object({
    startedAt: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' }),
    durationMs: Type.Number({ minimum: 0 }),
    passk: text,
    seed: count,
    verdict: oneOf('pass', 'fail', 'insufficient'),
    generated: Type.Optional(
      Type.Array(Type.Object({ name: text, file: text, hash: Type.String({ pattern: '^[0-9a-f]{64}$' }) })),
    ),
    scenarios: Type.Array(
      Type.Object({
        name: text,
        file: text,
        verdict: oneOf('passed', 'failed', 'insufficient', 'not_run', 'load_error'),
        seed: count,
        sampler: oneOf('seeded', 'reference'),
        digest: Type.Union([Type.Null(), text]),
        trials: count,
        passed: count,
        broken: count,
        spoilt: Type.Optional(count),
        failedFirst: Type.Optional(Type.Array(count)),
        passRate: Type.Union([Type.Null(), rate]),
        interval: Type.Union([Type.Null(), Type.Array(rate, { minItems: 2, maxItems: 2 })]),
        tokens: measure,
        costPerSuccess: measure,
      }),
    ),
  }),
});
