import fc from 'fast-check';
import { expect, test } from 'vitest';
import { grantsWord } from '../../src/effects/granted-ports.ts';
import { compileNetGrant, parseNetEntry } from '../../src/effects/granted/net-grant.ts';
import { parsePrices } from '../../src/baseline/price-table.ts';
import { withBareValues } from '../../src/cli/bare-flags.ts';
import { parseShard } from '../../src/cli/parse-shard.ts';
import { findJsonProblem } from '../../src/engine/find-json-problem.ts';
import { checkJsonSchema } from '../../src/engine/json-schema.ts';
import { lookUp, splitPath } from '../../src/engine/path.ts';
import { compileTemplate, MAX_RENDERED_CHARS } from '../../src/engine/template.ts';
import { compileJsonSchema } from '../../src/engine/compile-json-schema.ts';
import { parseGate } from '../../src/gate/parse-gate.ts';
import { compilePattern } from '../../src/matching/compile-pattern.ts';
import { builtinReporters } from '../../src/report/builtin.ts';
import { parseReporters } from '../../src/report/parse-reporters.ts';
import { parseModel } from '../../src/settings/model-options.ts';
import { measure, money, share, UnreadableWord, wholeNumber } from '../../src/settings/kinds.ts';
import { permissionIssues, resolvePermissions } from '../../src/settings/permission-options.ts';
import type { Json } from '../../src/types/json.ts';
import { fuzz } from './fuzz.ts';
import { mutatedJson, mutatedTexts } from './mutations.ts';
import { expectSoundIssues, orRefused } from './sound-issues.ts';

const LONG = 24 * 3_600_000;
const anyJson = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>;

test('any template is rendered or given up, within its limit', { timeout: LONG }, async () => {
  const texts = mutatedTexts(['Hello, {{name}}. {{ a.b.0.c }}{{}}', '{{trigger.a}}{{', 'plain']);
  await fuzz('templates', fc.tuple(texts, anyJson), 4000, ([{ text }, data]) => {
    for (const mode of ['value', 'prompt'] as const) {
      const rendered = compileTemplate(text, mode)(data);
      expect(rendered === null || rendered.length <= MAX_RENDERED_CHARS).toBe(true);
      if (!text.includes('{{')) expect(rendered).toBe(text);
    }
  });
});

test('any context path leads to a part of the data, or to nothing', { timeout: LONG }, async () => {
  const path = mutatedTexts(['trigger.a.b', 'node.items.0.name', '..', 'a']).map(({ text }) => text);
  await fuzz('context paths', fc.tuple(path, anyJson), 4000, ([text, data]) => {
    const found = lookUp(data, splitPath(text), 0);
    if (found !== undefined) expect(JSON.stringify(data)).toContain(JSON.stringify(found));
  });
});

const SCHEMAS: readonly object[] = [
  {
    type: 'object',
    required: ['id', 'tags'],
    properties: {
      id: { type: 'string', pattern: '^[a-z]+$', minLength: 1, format: 'uuid' },
      tags: { type: 'array', items: { type: 'string' }, uniqueItems: true, maxItems: 3 },
      next: { $ref: '#' },
      price: { type: 'number', multipleOf: 0.01, exclusiveMinimum: 0 },
    },
    additionalProperties: false,
    patternProperties: { '^x-': { type: ['string', 'null'] } },
  },
  {
    $defs: { node: { type: 'object', properties: { kids: { type: 'array', items: { $ref: '#/$defs/node' } } } } },
    anyOf: [{ $ref: '#/$defs/node' }, { const: 1 }, { enum: ['a', null] }],
    if: { type: 'object' },
    else: { not: { type: 'array' } },
    dependentRequired: { a: ['b'] },
    prefixItems: [true, false],
    contains: { type: 'integer' },
    unevaluatedProperties: false,
  },
];

test('any schema is enforced as written, or refused with what is wrong', { timeout: LONG }, async () => {
  const schemas = fc.oneof({ arbitrary: mutatedJson(SCHEMAS) as fc.Arbitrary<Json>, weight: 4 }, anyJson);
  await fuzz('JSON schemas', fc.tuple(schemas, anyJson), 600, ([schema, value]) => {
    if (checkJsonSchema(schema).length > 0) return;
    const violations = compileJsonSchema(schema);
    for (const tested of [value, { id: 'a', tags: ['b', 'b'], price: 1 }, { kids: [{ kids: [1] }] }]) {
      for (const violation of violations(tested)) expect(violation).toBeTypeOf('string');
    }
  });
});

test('a text is one JSON document exactly when the strict reader finds no problem', { timeout: LONG }, async () => {
  const sound = [
    '{"a": [1, 2.5e3, "x\\u00e9\\n", null], "b": {"c": true}}',
    '[[["deep"]]]',
    '-0.1e-7',
    '"\\ud83d\\ude00"',
  ];
  await fuzz('JSON texts', mutatedTexts(sound), 3000, ({ text }) => {
    const problem = findJsonProblem(text);
    // Stricter than the engine's own reader, never laxer.
    if (problem === null) expect(JSON.parse(text)).toBeDefined();
    else expect(problem).toMatch(/ at line \d+ column \d+$/);
  });
});

test('any pattern searches in linear time, or is refused in our words', { timeout: LONG }, async () => {
  const sound = ['^(a|b)*c{2,5}[^\\d\\p{Lu}]+$', '(?i)(?P<name>x+)+y', '\\bfoo\\B.*?(?:bar)??', '((a*)*)*b'];
  const haystacks = ['', 'a'.repeat(5000), 'aB3 é答😀\n'.repeat(300)];
  await fuzz('RE2 patterns', mutatedTexts(sound), 1200, async ({ text }) => {
    // The time is that of the pattern's length times the text's; longer patterns only take longer.
    const test = await orRefused(() => compilePattern(text.slice(0, 300), 'prompt_matches'));
    if (test !== undefined) for (const haystack of haystacks) expect(test(haystack)).toBeTypeOf('boolean');
  });
});

test('any gate expression is read, or refused with the place of the mistake in it', { timeout: LONG }, async () => {
  const sound = [
    'pass_rate >= 0.95',
    'suite.cost_per_success.upper(0.9) <= 120',
    'scenario("a \\"b\\"").pass^4 > 1/2',
    'pass@16 >= 90%',
    'scenario(llm-route).tokens_per_trial < 2_000',
  ];
  await fuzz('gates', mutatedTexts(sound), 4000, ({ text }) => {
    const parsed = parseGate(text);
    if (parsed.ok) return;
    const { column, endColumn, message, code } = parsed.problem;
    expect(column).toBeGreaterThanOrEqual(1);
    expect(endColumn).toBeGreaterThanOrEqual(column);
    expect(column).toBeLessThanOrEqual(text.length + 1);
    expectSoundIssues([{ code, severity: 'error', message }], { file: '', text, root: '/' });
  });
});

test('any word of the command line is read, or refused in our words', { timeout: LONG }, async () => {
  const sound = [
    'default=openai:gpt-4o-mini',
    'cf=openai-compatible:@cf/meta/llama@https://example.com/v1',
    '1/3',
    'junit:out/report.xml',
    'input=3,output=15,cached=0.3',
    '1e6',
    '0.95',
    '127.0.0.1:8080,*.example.com,[::1]:80',
  ];
  await fuzz('flags', mutatedTexts(sound), 2000, async ({ text }) => {
    await orRefused(() => parseModel(text));
    await orRefused(() => parseShard(text, { CI_NODE_INDEX: text, CI_NODE_TOTAL: '3' }));
    await orRefused(() => parseShard('auto', { CI_NODE_INDEX: text, CI_NODE_TOTAL: '3' }));
    await orRefused(() => parseReporters([text], builtinReporters));
    await orRefused(() => parsePrices(text));
    for (const kind of [money, share, measure, wholeNumber(1)]) {
      try {
        expect(kind.read?.(text)).toBeGreaterThanOrEqual(0);
      } catch (error) {
        if (!(error instanceof UnreadableWord)) throw error;
      }
    }
    expect(withBareValues([text, '--allow-net', '--', '--allow-net'])).toHaveLength(4);
  });
});

const HOST = { origin: 'http://db.internal:5432', target: '/', href: 'http://db.internal:5432/' };

test('no list of permissions grants more than it names', { timeout: LONG }, async () => {
  const sound = ['127.0.0.1:8080', '*.example.com', '[::1]', 'git', './tool', 'HOME', 'data/in'];
  const entries = fc.array(
    mutatedTexts(sound).map(({ text }) => text),
    { maxLength: 3 },
  );
  await fuzz('permissions', fc.record({ net: entries, run: entries, env: entries, read: entries }), 1500, (given) => {
    const issues = permissionIssues(given);
    expectSoundIssues(issues, { file: '', text: '', root: '/' });
    if (issues.length > 0) return;
    const { net, env } = resolvePermissions(given, '/work');
    const named = given.net.some((text) => ['', '.internal', 'db.internal'].includes(parseNetEntry(text)?.host ?? '?'));
    if (!named) expect(compileNetGrant(net).refuseUrl(HOST)).not.toBeNull();
    if (!given.env.includes('SECRET')) expect(grantsWord(env, 'SECRET')).toBe(false);
  });
});
