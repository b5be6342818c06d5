import { Type } from '../../source/schema-type.ts';
import { contextPath, strictTable, text, u32 } from '../../workflow/schema-parts.ts';

/** The keys of an `llm_infer` node. */
export const llmInferSchema = strictTable(
  {
    backend: text('Name of the model backend; `default` always exists.'),
    prompt: text('Text with {{path}} markers, looked up in the value at `input_from`.'),
    input_from: Type.Optional(contextPath('The value the markers are looked up in.')),
    output_schema: Type.Optional(
      Type.Union([Type.String(), Type.Object({}, { additionalProperties: true })], {
        description:
          'Demands JSON: a path to a JSON Schema or an inline table is enforced, the word `inline` asks for any JSON.',
      }),
    ),
    output_repairs: Type.Optional(u32('How often a rejected answer is sent back for repair; default 0.')),
  },
  'Asks a model once: {content, parsed, usage}.',
);
