import { expect, test } from 'vitest';
import { loadFor, loadSuite } from '../../src/suite/load-suite.ts';
import { resolveLoadOptions } from '../../src/suite/options.ts';

const paths = ['corpus'];

/** The ways to all objects and lists that can be changed. */
function open(value: unknown, way = ''): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.entries(value).flatMap(([key, inner]) => open(inner, `${way}/${key}`));
  return Object.isFrozen(value) ? inside : [way, ...inside];
}

test('scenarios that are shown are frozen through and through', async () => {
  const { scenarios } = await loadSuite({ paths });
  expect(scenarios.length).toBeGreaterThan(10);
  expect(scenarios.flatMap((scenario) => open(scenario, scenario.file))).toEqual([]);
});

test('scenarios that nobody else sees say the same', async () => {
  const own = await loadFor(resolveLoadOptions({ paths }), { isOwn: true });
  expect(own.suite).toEqual(await loadSuite({ paths }));
});
