import { readFileSync } from 'node:fs';
import { parse } from 'smol-toml';
import { Compile } from 'typebox/schema';
import { expect, test } from 'vitest';
import { canaryJsonSchema } from '../../src/canary/canary-schema.ts';
import { rateCardJsonSchema } from '../../src/release/rate-card-schema.ts';
import {
  agentsJsonSchema,
  configJsonSchema,
  conformJsonSchema,
  modelJsonSchema,
  recordingJsonSchema,
  worldJsonSchema,
} from '../../src/suite/json-schemas.ts';
import type { JsonObject } from '../../src/types/json.ts';

const CANARY = `
candidate = "2"
tier = "beta"
[[stages]]
percent = 0
min_outcomes = 2
max_outcomes = 9
min_pass_rate = 0.5
max_error_rate = 0.1
`;

/** A file of each kind, where a key is misspelt when `slip` says so. */
const FILES: Readonly<
  Record<string, readonly [() => JsonObject | Promise<JsonObject>, string, slip: [string, string]]>
> = {
  agents: [agentsJsonSchema, '[[agents]]\nname = "a"\nendpoint = "http://localhost/"\n', ['endpoint', 'endpiont']],
  world: [worldJsonSchema, readFileSync('corpus/sessions/repair-shop.world.toml', 'utf8'), ['[[tools]]', '[[toolz]]']],
  recording: [
    recordingJsonSchema,
    'name = "airline"\n[recording]\nfiles = ["results"]\nerrors = "exclude"\n',
    ['errors', 'error'],
  ],
  model: [modelJsonSchema, '[model]\nname = "openai/gpt-4o"\nsupports = ["multiturn"]\n', ['supports', 'suports']],
  conform: [conformJsonSchema, '[conform]\ntest-concurrency = 2\n', ['test-concurrency', 'test_concurrency']],
  config: [
    configJsonSchema,
    'trials = 5\ngates = ["pass^8 >= 0.9"]\n[allow]\nnet = ["a.example"]\n',
    ['trials', 'trails'],
  ],
  rollout: [canaryJsonSchema, CANARY, ['max_outcomes', 'most_outcomes']],
  'rate-card': [rateCardJsonSchema, readFileSync('corpus/rates.toml', 'utf8'), ['effective', 'from']],
};

test.each(Object.entries(FILES))(
  'the schema of %s takes such a file, and refuses a misspelt key',
  async (name, file) => {
    const [schemaOf, text, [right, wrong]] = file;
    const schema = await schemaOf();
    expect(schema).toMatchObject({ $id: `urn:passk:schema:${name}`, title: `passk ${name}` });
    const check = Compile(schema);
    expect(check.Check(parse(text))).toBe(true);
    expect(text).toContain(right);
    expect(check.Check(parse(text.replace(right, wrong)))).toBe(false);
  },
);
