import type { TSchema } from 'typebox';
import { Type } from '../source/schema-type.ts';
import type { JsonObject } from '../types/json.ts';
import type { JudgeSetting } from '../types/judges/judge.ts';
import { data } from './kinds.ts';

/** A word of names and criteria: it stands in reports, and in names of checks. */
export const JUDGE_WORD = '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$';
/** Models of an ensemble, criteria of a rubric, and repeats: more is no judge that anybody pays for. */
export const JUDGE_LIMITS = { models: 16, criteria: 64, repeats: 32, timeoutMs: 3_600_000 } as const;

const word = (description: string): TSchema => Type.String({ pattern: JUDGE_WORD, description });
const sentence = (description: string): TSchema => Type.String({ minLength: 1, maxLength: 10_000, description });

const criterion = Type.Object(
  { id: word('A short word for it.'), text: sentence('What must hold, in a sentence.') },
  { additionalProperties: false, description: 'What must hold.' },
);

const FIELDS: Readonly<Record<keyof JudgeSetting, TSchema>> = {
  name: word('What expectations call it by.'),
  models: Type.Optional(
    Type.Array(Type.String({ minLength: 1 }), {
      minItems: 1,
      maxItems: JUDGE_LIMITS.models,
      description: 'Names of models; several are an ensemble.',
    }),
  ),
  module: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'JavaScript module that judges, relative to this file; --allow-run grants it.',
    }),
  ),
  timeoutMs: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: JUDGE_LIMITS.timeoutMs,
      description: 'Milliseconds that the module may take for one question; default 60,000.',
    }),
  ),
  criteria: Type.Optional(
    Type.Array(criterion, {
      minItems: 1,
      maxItems: JUDGE_LIMITS.criteria,
      description: 'What must hold; a trial passes where all of it does. A judge that verifies claims has none.',
    }),
  ),
  background: Type.Optional(sentence('What the judge should know besides.')),
  repeats: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: JUDGE_LIMITS.repeats,
      description: 'How often each model is asked the same; default 1.',
    }),
  ),
  compares: Type.Optional(
    Type.Boolean({ description: 'Whether it compares two answers by its criteria; default false: it judges each.' }),
  ),
  verifies: Type.Optional(
    Type.Boolean({ description: 'Whether it verifies the claims of an answer against contexts; default false.' }),
  ),
  minScore: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Where it verifies: the share of claims that contexts must support, above 0; default 1.',
    }),
  ),
  splitter: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'Where it verifies: the model that takes answers apart into claims; absent: sentences are claims.',
    }),
  ),
  threshold: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description:
        'Where it verifies by models that score: from which score on a context supports a claim; default 0.5.',
    }),
  ),
  calibration: Type.Optional(
    Type.String({ minLength: 1, description: 'File that `passk judge calibrate` has written.' }),
  ),
  allowSameFamily: Type.Optional(
    Type.Boolean({ description: 'Whether it may judge models of its own family; default false.' }),
  ),
};

/** `[[judges]]`: models that judge trials. */
export const judgesSchema: JsonObject = data(
  Type.Array(Type.Object(FIELDS, { additionalProperties: false, description: 'One judge.' })),
);
