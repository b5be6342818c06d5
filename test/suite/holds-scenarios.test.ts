import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { holdsScenarios } from '../../src/suite/holds-scenarios.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'passk-holds-scenarios-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('JSON holds scenarios where it is a spec of models, and recorded runs otherwise, whatever it is called', () => {
  const holds = (name: string, text: string): boolean => {
    writeFileSync(path.join(folder, name), text);
    return holdsScenarios(path.join(folder, name));
  };
  expect(holds('spec.json', '[{"model": "m", "supports": ["multiturn"]}]')).toBe(true);
  expect(holds('one.json', '{"model": "m", "tests": []}')).toBe(true);
  expect(holds('runs.json', '[{"model": "m", "task": "a", "passed": true}]')).toBe(false);
  expect(holds('report.json', '{"schema": "passk-report/1"}')).toBe(false);
  expect(holds('broken.json', '[{"model": "m", "tests": [')).toBe(false);
  expect(holds('large.json', `[{"model": "m", "tests": [], "x": "${'x'.repeat(2 ** 20)}"}]`)).toBe(false);
  expect(['none.json', 'runs.jsonl', 'runs.csv', 'a.toml', 'a.yaml', 'a.mjs'].map(holdsScenarios)).toEqual([
    false,
    false,
    false,
    true,
    true,
    true,
  ]);
});
