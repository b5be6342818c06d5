import fc from 'fast-check';
import { stringify as toToml } from 'smol-toml';
import { expect, test } from 'vitest';
import { stringify as toYaml } from 'yaml';
import { contractFileSchema } from '../../../src/suites/contract/contract-schema.ts';
import { laxDocument } from '../../../src/suites/contract/lax-document.ts';
import { type ReadContractFile, readContractFile } from '../../../src/suites/contract/read-contract-file.ts';
import { parseToml, type SourceDocument } from '../../../src/source/toml-document.ts';
import { parseYaml } from '../../../src/source/yaml-document.ts';
import { CONTEXT_ATTACK_TYPES, DRIFT_TYPES, LLM_FAULT_MODES, TOOL_FAULT_MODES } from '../../../src/types/chaos.ts';
import { SEVERITIES, WHENS } from '../../../src/types/invariant.ts';
import { aSource, brief } from '../../source/parsed.ts';
import type { Contract } from '../../../src/types/contract.ts';

const places = { root: '/suite', folder: '/suite' };

function read(document: SourceDocument): ReadContractFile {
  return readContractFile(document, { places, profiles: new Map(), sessions: [], plugins: {} });
}

async function fromYaml(text: string): Promise<ReadContractFile> {
  const parsed = await parseYaml(aSource(text, 'c'));
  if (!parsed.ok) throw new Error(brief(parsed.issues).join('\n'));
  return read(laxDocument(parsed.document, contractFileSchema));
}

function fromToml(text: string): ReadContractFile {
  const parsed = parseToml(aSource(text, 'c'));
  if (!parsed.ok) throw new Error(brief(parsed.issues).join('\n'));
  return read(parsed.document);
}

const maybe = <T extends object>(model: { readonly [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<Partial<T>> =>
  fc.record(model, { requiredKeys: [] }) as fc.Arbitrary<Partial<T>>;
const words = fc
  .oneof(
    fc.constantFrom(
      'yes',
      'no',
      'on',
      '012',
      '1:30',
      '1e3',
      'null',
      '~',
      '2024-05-01',
      '- a',
      'a: b',
      '# c',
      '*',
      '&x',
    ),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
    fc.string({ minLength: 1, maxLength: 12 }),
  )
  .filter((word) => !/[\p{Cc}\p{Cs}\u2028\u2029\ufeff]/u.test(word) && word.trim() !== '');
const share = fc.constantFrom(0, 0.1, 0.25, 0.5, 1);
const count = fc.nat(20);

const trigger = { probability: share, after_calls: count };
const chaos = maybe({
  tool_faults: fc.array(
    fc
      .tuple(
        fc.record({ tool: words, mode: fc.constantFrom(...TOOL_FAULT_MODES) }),
        maybe({
          ...trigger,
          delay_ms: count,
          error_code: fc.integer({ min: 400, max: 599 }),
          message: words,
          match_url: words,
        }),
      )
      .map((parts) => Object.assign({}, ...parts) as object),
    { maxLength: 2 },
  ),
  llm_faults: fc.array(
    fc
      .tuple(
        fc.record({ mode: fc.constantFrom(...LLM_FAULT_MODES) }),
        maybe({
          ...trigger,
          max_tokens: count,
          drift_type: fc.constantFrom(...DRIFT_TYPES),
          factor: fc.constantFrom(1.5, 2),
        }),
      )
      .map((parts) => Object.assign({}, ...parts) as object),
    { maxLength: 2 },
  ),
  context_attacks: fc.array(
    fc
      .tuple(
        fc.record({ type: fc.constantFrom(...CONTEXT_ATTACK_TYPES) }),
        maybe({
          payload: words,
          payloads: fc.array(words, { maxLength: 2 }),
          trigger_probability: share,
          inject_at: fc.integer({ min: 1, max: 5 }),
        }),
      )
      .map((parts) => Object.assign({}, ...parts) as object),
    { maxLength: 2 },
  ),
});

const rule = fc.oneof(
  fc.record({ type: fc.constant('contains'), value: words }),
  fc.record({ type: fc.constant('contains_any'), values: fc.array(words, { minLength: 1, maxLength: 3 }) }),
  fc.record({ type: fc.constant('regex'), pattern: fc.constantFrom('(?i)a|b', '\\d+', '^x$') }),
  fc.record({ type: fc.constant('latency'), max_ms: fc.integer({ min: 1, max: 9999 }) }),
  fc.record({ type: fc.constantFrom('valid_json', 'output_not_empty', 'completes', 'excludes_pii', 'refusal_check') }),
  fc.record({ type: fc.constant('similarity'), expected: words, threshold: share }),
  fc.record({ type: fc.constant('behavior_unchanged'), baseline: words, similarity_threshold: share }),
  fc.record({ type: fc.constant('json_schema'), schema: fc.constant({ type: 'object', required: ['a'] }) }),
  fc.record({ type: fc.constant('max_cost'), max_usd: share }),
  fc.record({ type: fc.constant('tool_called'), tool: words }),
);

const invariants = fc.array(
  fc
    .tuple(
      rule,
      maybe({
        severity: fc.constantFrom(...SEVERITIES),
        when: fc.constantFrom(...WHENS),
        negate: fc.boolean(),
        probes: fc.array(words, { maxLength: 2 }),
        description: words,
      }),
    )
    .map((parts) => Object.assign({}, ...parts) as object),
  { minLength: 1, maxLength: 4 },
);

const file = fc
  .record({
    golden_prompts: fc.array(words, { minLength: 1, maxLength: 3 }),
    agent: maybe({
      method: fc.constantFrom('get', 'POST'),
      response_path: words,
      retries: count.map((n) => n % 10),
    }).map((rest) => ({ endpoint: 'http://127.0.0.1:1/ask', ...rest })),
    chaos,
    invariants,
    contract: fc.record({
      name: words,
      trials: fc.integer({ min: 1, max: 99 }),
      stack: fc.boolean(),
      price: fc.record({ input: share, output: share }),
      invariants: invariants.map((list) => list.map((one, index) => ({ ...one, id: `i${index}` }))),
      chaos_matrix: fc
        .array(chaos, { minLength: 1, maxLength: 3 })
        .map((columns) => columns.map((column, index) => ({ ...column, name: `c${index}` }))),
    }),
  })
  .map((data) => JSON.parse(JSON.stringify(data)) as object);

test('a contract is the same in TOML, in YAML and in JSON', async () => {
  await fc.assert(
    fc.asyncProperty(file, async (data) => {
      const toml = fromToml(toToml(data));
      expect(brief(toml.issues.filter(({ severity }) => severity === 'error'))).toEqual([]);
      expect(toml.found?.contracts.length).toBe(2);
      const codes = toml.issues.map(({ code, message }) => [code, message]);
      for (const text of [toYaml(data, { version: '1.1' }), JSON.stringify(data, null, 2)]) {
        const yaml = await fromYaml(text);
        // But for where its rules stand.
        const placeless = (one: Contract): Contract => ({ ...one, places: [] });
        expect(yaml.found?.contracts.map(placeless)).toEqual(toml.found?.contracts.map(placeless));
        expect(yaml.issues.map(({ code, message }) => [code, message])).toEqual(codes);
      }
    }),
    { numRuns: 150 },
  );
});
