import { Type } from '../source/schema-type.ts';
import { ISOLATIONS } from '../types/isolation.ts';

const count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const text = Type.String();
const digest = Type.String({ pattern: '^[0-9a-f]{64}$' });
const span = { scenario: count, fromBlock: count, toBlock: count };

export const queueHeadSchema = Type.Object({
  digest,
  identity: text,
  root: text,
  asksWorld: Type.Boolean(),
  lockMs: Type.Integer({ minimum: 200, maximum: 3_600_000 }),
});

export const queuedPlanSchema = Type.Object({
  kind: Type.Literal('plan'),
  isolation: Type.Optional(Type.Union(ISOLATIONS.map((isolation) => Type.Literal(isolation)))),
});

export const queuedResultSchema = Type.Object({
  kind: Type.Literal('result'),
  digest,
  claim: text,
  isLast: Type.Boolean(),
  tookMs: Type.Number({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  records: Type.Array(Type.Object(span)),
});

export const queuedFailureSchema = Type.Object({
  kind: Type.Literal('failure'),
  digest,
  worker: text,
  code: Type.Union(['INPUT', 'PLUGIN', 'PLAN', 'INTEGRITY'].map((code) => Type.Literal(code))),
  message: text,
  hint: Type.Optional(text),
});

/** What BullMQ carries for a claim. */
export const claimSchema = Type.Object({ spans: Type.Array(Type.Tuple([count, count, count]), { minItems: 1 }) });

export const placeSchema = Type.Tuple([count, count]);

/** Positions of scenarios. */
export const askersSchema = Type.Array(count);

export const workerRowSchema = Type.Object({
  name: text,
  beat: count,
  workers: count,
  concurrency: count,
  /** The claim in work, or the empty text. */
  claim: text,
  done: count,
  failed: count,
  trials: count,
  busyMs: Type.Number({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
});

export const refusalSchema = Type.Object({ name: text, why: text });
