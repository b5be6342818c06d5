import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { invariantTypes, takesBaseline } from '../../../src/checks/invariants/builtin.ts';
import { invariantSchemas } from '../../../src/checks/invariants/builtin-schemas.ts';
import type { InvariantRule } from '../../../src/types/invariant.ts';
import type { Found } from '../../../src/workflow/report.ts';
import { RULES } from './rule-examples.ts';

const DOCS = readFileSync('docs/contracts.md', 'utf8');

test('each word means one type, which has a schema, and the other way round', () => {
  const words = invariantTypes.map(({ type }) => type);
  expect(new Set(words).size).toBe(words.length);
  expect(invariantSchemas.map(({ type }) => type).sort()).toEqual([...words].sort());
});

test.each(invariantTypes.map((one) => [one.type, one] as const))('%s is whole', (type, one) => {
  expect(one.kind).toBe('invariant');
  expect(one.summary).toMatch(/^[A-Z].*\.$/);
  // The row of the type, which names its keys.
  const row = DOCS.split('\n').findLast((line) => line.startsWith(`| \`${type}\` |`));
  const { keys = {} } = invariantSchemas.find((schema) => schema.type === type) ?? {};
  for (const key of Object.keys(keys)) if (!ELSEWHERE.has(`${type} ${key}`)) expect(row).toContain(`\`${key}\``);
  expect(row).toBeDefined();
  expect(RULES.some(({ rule }) => rule.type === type)).toBe(true);
});

/** Keys that are taken for the sake of files of the reference. */
const ELSEWHERE: ReadonlySet<string> = new Set(['similarity similarity_threshold', 'refusal_check dangerous_prompts']);

test.each(invariantSchemas.map((schema) => [schema.type, schema] as const))(
  'of a table without keys %s gives its rule, or says what is missing',
  (type, schema) => {
    const found: Found[] = [];
    const report = (one: Found): void => void found.push(one);
    const readSchema = (): null => {
      report({ code: 'missing_key', message: 'This table needs the key "schema".', at: [] });
      return null;
    };
    const none = (): null => null;
    const rule = schema.read({ type }, [], { report, readSchema, moduleFile: none, plugin: none });
    if (rule !== null) expect(rule.type).toBe(type);
    const wants = Object.keys(schema.keys).length > 0 && !OPTIONAL.has(type);
    expect([...new Set(found.map(({ code }) => code))]).toEqual(wants ? ['missing_key'] : []);
  },
);

/** Types whose keys may all be left out. */
const OPTIONAL: ReadonlySet<InvariantRule['type']> = new Set([
  'behavior_unchanged',
  'policy_denied',
  'refusal_check',
  'faithful',
]);

test('types that share a key share its schema, so that one table holds all of them', () => {
  const schemas = new Map<string, unknown>();
  for (const { keys } of invariantSchemas) {
    for (const [key, schema] of Object.entries(keys)) {
      expect(schemas.get(key) ?? schema).toBe(schema);
      schemas.set(key, schema);
    }
  }
});

test('only behavior_unchanged without a text takes a baseline', () => {
  expect(RULES.map(({ rule }) => takesBaseline(rule)).includes(true)).toBe(false);
  expect(takesBaseline({ type: 'behavior_unchanged', baseline: null, threshold: 1 })).toBe(true);
});
