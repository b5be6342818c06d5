import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { loadScenario } from './load-scenario.ts';
import { loadWorkflowFile } from '../../src/scenario/load-workflow.ts';
import { aRegistry } from './a-registry.ts';

const ROOT = fileURLToPath(new URL('../../../shared/reference/agentd', import.meta.url));
const isThere = existsSync(ROOT);
const options = { root: ROOT, cwd: ROOT, folder: ROOT };
const filesIn = (folder: string) =>
  isThere ? readdirSync(path.join(ROOT, folder)).map((file) => path.join(ROOT, folder, file)) : [];

describe.skipIf(!isThere)('real files of the reference (../shared/reference/agentd)', () => {
  const scenarios = ['conformance', 'faults', 'security'].flatMap(filesIn);
  const workflows = ['workflows', 'fixtures'].flatMap(filesIn);

  test('are all there', () => {
    expect({ scenarios: scenarios.length, workflows: workflows.length }).toEqual({ scenarios: 7, workflows: 9 });
  });

  test.each(scenarios)('scenario %s loads', (file) => {
    const loaded = loadScenario(file, aRegistry, options);
    expect(loaded?.issues.filter((issue) => issue.severity === 'error')).toEqual([]);
    expect(loaded?.ok).toBe(true);
  });

  test.each(workflows)('workflow %s is no scenario, and it is valid', (file) => {
    expect(loadScenario(file, aRegistry, options)).toBe(null);
    expect(loadWorkflowFile(file, options, aRegistry).issues).toEqual([]);
  });
});
