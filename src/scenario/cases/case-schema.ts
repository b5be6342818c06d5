import { Type } from '../../source/schema-type.ts';

/** `cases`, of scenarios and files of tasks. */
export const casesSchema = Type.Union([Type.String(), Type.Array(Type.Object({}, { additionalProperties: true }))], {
  description:
    'Rows that the file is loaded for, one scenario each: tables, or the name of a .csv, .tsv, .jsonl or .ndjson file. `{{case.field}}` in texts stands for a field of the row; `name` names it.',
});

/** `[matrix]`, of scenarios and files of tasks. */
export const matrixSchema = Type.Object(
  {},
  {
    additionalProperties: { type: 'array', minItems: 2 },
    description:
      'Prompts, models or settings that are compared: a list of values for each axis. Every combination is a scenario, on every case. `{{matrix.axis}}` in texts, those of the workflow included, stands for the value.',
  },
);
