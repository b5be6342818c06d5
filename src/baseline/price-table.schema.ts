import { Type } from '../source/schema-type.ts';

const price = Type.Number({ minimum: 0, description: 'USD per million tokens.' });

/** The `[prices]` table. */
export const pricesSchema = Type.Object(
  { input: price, output: price, cached: Type.Optional(price), batch: Type.Optional(price) },
  { additionalProperties: false },
);
