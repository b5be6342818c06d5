import type { TSchema } from 'typebox';
import { editorSchema } from '../source/editor-schema.ts';
import { Type } from '../source/schema-type.ts';
import { TIERS } from '../types/release/release-rules.ts';
import type { JsonObject } from '../types/json.ts';
import { strictTable } from '../workflow/schema-parts.ts';

const maybe = Type.Optional;
const share = (description: string): TSchema => Type.Number({ minimum: 0, maximum: 1, description });
const count = (minimum: number, description: string): TSchema =>
  Type.Integer({ minimum, maximum: 100_000_000, description });
const usd = (description: string): TSchema => Type.Number({ exclusiveMinimum: 0, maximum: 1e6, description });
const version = (description: string): TSchema => Type.String({ minLength: 1, maxLength: 500, description });

const stageSchema = strictTable(
  {
    percent: Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'Share of traffic in percent. 0 is the shadow: the candidate answers beside the baseline, unseen.',
    }),
    min_outcomes: count(1, 'Outcomes of the candidate before it may be promoted.'),
    max_outcomes: count(1, 'Outcomes of the candidate after which a stage that is still open is rolled back.'),
    min_hours: maybe(Type.Number({ minimum: 0, description: 'Hours that the stage lasts at least; default 0.' })),
    max_hours: maybe(
      Type.Number({ exclusiveMinimum: 0, description: 'Hours after which a stage that is still open is rolled back.' }),
    ),
    min_pass_rate: share('The floor of the pass rate, for its lower bound.'),
    k: maybe(Type.Integer({ minimum: 2, maximum: 64, description: 'Requests of one key in a row; default 4.' })),
    min_pass_hat_k: maybe(
      share('The floor of the chance that k requests of one key in a row pass, for its lower bound.'),
    ),
    max_drop: maybe(share('By how much the pass rate may lie below that of the baseline, for the upper bound.')),
    max_cost_per_success: maybe(usd('The ceiling of what a success costs, in USD, for its upper bound.')),
    max_latency_ms: maybe(
      Type.Number({ exclusiveMinimum: 0, description: 'Milliseconds after which an answer is slow.' }),
    ),
    max_slow: maybe(share('The ceiling of the share of slow answers, for its upper bound; default 0.05.')),
    max_error_rate: share('The share of outcomes that may be errors of the harness; beyond, nothing is promoted.'),
  },
  'What a candidate must show at one share of traffic, before it gets more.',
);

const releaseSchema = strictTable(
  {
    record: Type.String({ minLength: 1, description: 'The release record of the candidate, which must have passed.' }),
    public_key: Type.String({ minLength: 1, description: 'The public key that the record must be signed with.' }),
    log: maybe(
      Type.String({ minLength: 1, description: 'The audit log that must hold its entry, without an earlier try.' }),
    ),
  },
  'What shows that the candidate passed its release. It is verified when the rollout begins.',
);

/** A file that says how a candidate is rolled out. */
export const canarySchema = strictTable(
  {
    candidate: version('Version of the candidate, as outcomes say it.'),
    baseline: maybe(version('Version of the baseline, as outcomes say it.')),
    tier: Type.Enum(TIERS, {
      description: 'How much the release is trusted with. It says which stages there must be.',
    }),
    level: maybe(
      Type.Number({
        minimum: 0.5,
        maximum: 0.9999,
        description: 'Level of every bound, at all looks together; default 0.95.',
      }),
    ),
    look_every: maybe(count(1, 'Outcomes of the candidate between two looks; default 10.')),
    max_violations: maybe(
      count(0, 'Violations of safety that are borne; one more takes the candidate back at once. Default 0.'),
    ),
    max_cost_per_outcome: maybe(
      usd('The most that one outcome can cost, in USD. One that costs more takes the candidate back at once.'),
    ),
    release: maybe(releaseSchema),
    stages: Type.Array(stageSchema, { minItems: 1, maxItems: 20, description: 'With rising shares of traffic.' }),
  },
  'How a candidate is rolled out.',
);

/** JSON Schema (draft 2020-12) of such a file. */
export function canaryJsonSchema(): JsonObject {
  return editorSchema('rollout', canarySchema);
}
