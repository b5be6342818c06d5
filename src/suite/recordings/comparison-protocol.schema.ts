import { Type } from '../../source/schema-type.ts';
import { ERROR_POLICIES } from '../../types/recording.ts';

/** The smallest level of a test: below it a level is no longer told from a certainty. */
export const SMALLEST_ALPHA = 1e-6;

/** The `[compare]` table: what is settled before anybody looks at results. */
export const protocolSchema = Type.Object(
  {
    margin: Type.Optional(
      Type.Number({
        minimum: 0,
        exclusiveMaximum: 1,
        description: 'The loss of the mean pass rate that does not matter.',
      }),
    ),
    alpha: Type.Optional(
      Type.Number({
        minimum: SMALLEST_ALPHA,
        exclusiveMaximum: 0.5,
        description: 'The two-sided level of every test.',
      }),
    ),
    errors: Type.Optional(Type.Union(ERROR_POLICIES.map((policy) => Type.Literal(policy)))),
    scorer: Type.Optional(Type.String({ minLength: 1, description: 'The score that decides.' })),
    pass_score: Type.Optional(Type.Number({ minimum: 0, description: 'A score of at least this means success.' })),
  },
  { additionalProperties: false },
);
