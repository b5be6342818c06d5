import { Type } from '../../source/schema-type.ts';
import { originKeys } from '../../scenario/origin-schema.ts';
import { CAPABILITIES } from '../../types/model-test.ts';
import { flag, oneOf, strictTable, text, texts } from '../../workflow/schema-parts.ts';
import { MODEL_PROVIDERS } from '../../types/model-endpoint.ts';

const maybe = Type.Optional;

const test = strictTable(
  {
    name: maybe(text('Label in reports; default: Custom Test.')),
    input: Type.Object(
      {},
      { description: "What the model is asked: a request in Genkit's words, passed on untouched." },
    ),
    validators: maybe(
      texts('What the answer must be: validators by name, `name` or `name:argument`, judged in order.'),
    ),
    stream: maybe(flag('The answer is asked for in pieces; none is a failure.')),
  },
  'A test of the model.',
);

const supports = maybe(
  Type.Array(oneOf(CAPABILITIES, 'A capability.'), {
    description: 'What the model can do: the built-in tests to run.',
  }),
);
const tests = maybe(Type.Array(test, { description: 'Tests of your own, after the built-in ones.' }));

/** One entry of a model-conformance.yaml: a model and how it is tested. */
export const specModelSchema = strictTable(
  {
    model: Type.String({ minLength: 1, description: 'The model, such as googleai/gemini-2.5-flash.' }),
    supports,
    tests,
  },
  'A model and how it is tested.',
);

/** `[model]` of a TOML file: the same for people without Genkit. */
export const modelTableSchema = strictTable(
  {
    name: Type.String({ minLength: 1, description: 'The model, such as openai/gpt-4o.' }),
    supports,
    tests,
    provider: maybe(
      oneOf(MODEL_PROVIDERS, 'Whose protocol it speaks; left out: by what stands before the / of its name.'),
    ),
    model: maybe(text("The provider's name of the model; left out: what stands behind the / of its name.")),
    base_url: maybe(text('Where it is; left out: at the provider.')),
    api_key_env: maybe(text('The variable that holds the key; left out: the usual one of the provider.')),
    max_retries: maybe(Type.Integer({ minimum: 0, maximum: 100, description: 'Attempts after the first; default 2.' })),
    timeout_ms: maybe(
      Type.Integer({ minimum: 1, maximum: 86_400_000, description: 'For one answer; default 120,000.' }),
    ),
    trials: maybe(Type.Integer({ minimum: 1, maximum: 4_294_967_296, description: 'Trials of each test; default 1.' })),
    min_pass_rate: maybe(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: 'Share of the trials of each test that must pass; default 1.',
      }),
    ),
  },
  'A model and how it is tested.',
);

/** A whole file of either form. */
export const modelFileSchema = Type.Union([
  Type.Object({ model: modelTableSchema, ...originKeys }),
  specModelSchema,
  Type.Array(specModelSchema),
]);
