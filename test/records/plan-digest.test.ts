import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { planDifferences } from '../../src/records/compare-plans.ts';
import { identifyPlan, planDigest, scenarioText } from '../../src/records/plan-digest.ts';
import { admitRun } from '../../src/suite/admit-run.ts';
import { loadFor } from '../../src/suite/load-suite.ts';
import { type RunSuiteOptions, resolveRunOptions } from '../../src/settings/options.ts';
import { planRun } from '../../src/suite/plan/plan.ts';
import type { PlanIdentity } from '../../src/types/plan-identity.ts';
import { VERSION } from '../../src/version.ts';
import { aRunPlan } from '../pool/a-run.ts';
import { aGreeting } from '../cli/run-passk.ts';
import { workflowIn } from '../support/as-workflow.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'passk-plan-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const CORPUS = fileURLToPath(new URL('../../corpus', import.meta.url));

async function identify(options: RunSuiteOptions): Promise<PlanIdentity> {
  const resolved = resolveRunOptions(options);
  const input = await loadFor(resolved);
  const plan = planRun({ scenarios: input.suite.scenarios, ...input }, resolved);
  return identifyPlan(plan, resolved);
}

describe('the digest of a plan', () => {
  test('is the same in every clone of the scenarios', async () => {
    const here = await identify({ cwd: CORPUS, paths: ['reliability'] });
    const clone = path.join(folder, 'a', 'deeper');
    cpSync(CORPUS, clone, { recursive: true });
    const there = await identify({ cwd: clone, paths: ['reliability'] });
    expect(here.scenarios.length).toBeGreaterThan(0);
    expect(there).toEqual(here);
    expect(planDigest(there)).toBe(planDigest(here));
  });

  test('holds no absolute path', async () => {
    const options = resolveRunOptions({ cwd: CORPUS, paths: ['reliability'] });
    const input = await loadFor(options);
    const plan = planRun({ scenarios: input.suite.scenarios, ...input }, options);
    for (const scenario of plan.scenarios) expect(scenarioText(scenario)).not.toContain(CORPUS);
  });

  test('changes with the order in which keys are written, and not by a key that is undefined', () => {
    const [plan] = aRunPlan([{ trials: 3 }]).scenarios;
    if (plan === undefined) throw new Error('No plan.');
    const { scenario } = plan;
    const withEnv = (env: Readonly<Record<string, string>>): typeof plan => {
      const workflow = workflowIn(scenario);
      const subject = { ...workflow, world: { ...workflow.world, env } };
      return { ...plan, scenario: { ...scenario, subject } };
    };
    const written = withEnv({ a: '1', b: '2' });
    const otherwise = withEnv({ b: '2', a: '1' });
    expect(scenarioText(otherwise)).not.toBe(scenarioText(written));
    expect(scenarioText({ ...written, later: undefined } as typeof plan)).toBe(scenarioText(written));
  });

  test('does not depend on where trials run: a run that took passk down is resumed in processes', async () => {
    const plan = aRunPlan([{ trials: 3 }]);
    const isolated = {
      ...plan,
      scenarios: plan.scenarios.map((planned) => ({
        ...planned,
        scenario: { ...planned.scenario, isolation: 'process' as const },
      })),
    };
    const options = { seed: 0, bail: 0 };
    expect(await identifyPlan(isolated, options)).toEqual(await identifyPlan(plan, options));
  });

  test('goes by the contents of plug-ins, not by their folder', async () => {
    const one = path.join(folder, 'one.mjs');
    writeFileSync(one, 'export const a = 1;');
    const plan = { ...aRunPlan([]), plugins: [pathToFileURL(one).href] };
    const before = await identifyPlan(plan, { seed: 0, bail: 0 });
    expect(before.plugins).toEqual([{ name: 'one.mjs', digest: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
    writeFileSync(one, 'export const a = 2;');
    const after = await identifyPlan(plan, { seed: 0, bail: 0 });
    expect(planDifferences(after, before)).toEqual(['plug-in one.mjs has changed']);
  });

  test('goes by the contents of modules that scenarios name, such as agents', async () => {
    const cwd = path.join(folder, 'with-module');
    mkdirSync(cwd);
    const agent = '[[agents]]\nname = "desk"\nmodule = "desk.mjs"\n';
    const task = '[[tasks]]\nname = "hi"\nuser.opening = "hello"\nexpected.says = ["Hi"]\n';
    writeFileSync(path.join(cwd, 'desk.toml'), `name = "d"\n${agent}${task}`);
    const identityWith = async (text: string): Promise<PlanIdentity> => {
      writeFileSync(path.join(cwd, 'desk.mjs'), text);
      return identify({ cwd, paths: ['desk.toml'], permissions: { run: ['./desk.mjs'] } });
    };
    const before = await identityWith('export default () => () => "Hi";');
    const after = await identityWith('export default () => () => "no";');
    expect(before.modules).toEqual([{ name: 'desk.mjs', digest: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
    expect(after.scenarios).toEqual(before.scenarios);
    expect(planDifferences(after, before)).toEqual(['module desk.mjs has changed']);
    const run = { identity: before, digest: planDigest(before), root: '.', asksWorld: true, lockMs: 1000 };
    const { permissions } = resolveRunOptions({ cwd, permissions: { run: ['./desk.mjs'] } });
    const admitted = () => admitRun(run, { cwd, plugins: [], permissions });
    expect(await admitted()).toEqual({ refused: 'its module desk.mjs is another one here, or is not here' });
    await identityWith('export default () => () => "Hi";');
    expect(await admitted()).not.toHaveProperty('refused');
  });
});

describe('an agent outside of the process', () => {
  const QUESTION = '[user]\nopening = "hello"\n[expected]\nsays = ["Hi"]\n';

  test.each([
    ['in Python', 'type = "python"\nendpoint = "shop.desk:answer"', 'asked/shop/desk.py'],
    ['in a package of Python', 'type = "python"\nendpoint = "desk:answer"', 'asked/desk/__init__.py'],
    ['in Python, where the suite is', 'type = "python"\nendpoint = "desk:answer"', 'desk.py'],
    ['that is a program', 'command = ["node", "--no-warnings", "./bin/desk.js"]', 'asked/./bin/desk.js'],
  ])('%s counts by the contents of its file', async (_, agent, name) => {
    const cwd = mkdtempSync(path.join(folder, 'outside-'));
    const file = path.join(cwd, name);
    mkdirSync(path.dirname(file), { recursive: true });
    mkdirSync(path.join(cwd, 'asked/node'), { recursive: true });
    writeFileSync(path.join(cwd, 'asked/hi.toml'), `name = "hi"\n[agent]\n${agent}\n${QUESTION}`);
    writeFileSync(path.join(cwd, 'of-the-suite.toml'), aGreeting());
    const identityWith = async (text: string): Promise<PlanIdentity> => {
      writeFileSync(file, text);
      return identify({ cwd, paths: ['.'] });
    };
    const before = await identityWith('1');
    expect(before.modules?.map((module) => module.name)).toEqual([name]);
    expect(planDifferences(await identityWith('2'), before)).toEqual([`module ${name} has changed`]);
  });
});

describe('a plan that is not the same', () => {
  const scenario = (name: string, trials = 10, digest = 'd'): PlanIdentity['scenarios'][number] => ({
    name,
    file: `${name}.toml`,
    trials,
    digest,
  });
  const ours: PlanIdentity = {
    passk: VERSION,
    seed: 0,
    bail: 0,
    plugins: [],
    scenarios: [scenario('a'), scenario('b')],
  };

  test.each<[string, Partial<PlanIdentity>, readonly string[]]>([
    ['nothing', {}, []],
    ['version', { passk: '9.9.9' }, [`it is of passk 9.9.9, this is ${VERSION}`]],
    ['seed', { seed: 7, scenarios: [scenario('a', 10, 'x'), scenario('b', 10, 'y')] }, ['its seed is 7, not 0']],
    ['bail', { bail: 1 }, ['it was run with --bail=1']],
    ['plug-ins', { plugins: [{ name: 'p.mjs', digest: 'd' }] }, ['its plug-ins are p.mjs, not none']],
    ['trials', { scenarios: [scenario('a', 20, 'x'), scenario('b')] }, ['it has 20 trials of "a", not 10']],
    [
      'contents',
      { scenarios: [scenario('a'), scenario('b', 10, 'x')] },
      ['scenario "b" had other contents, time limit or sampler'],
    ],
    [
      'selection',
      { scenarios: [scenario('a'), scenario('c')] },
      ['it has scenario "c", which this run has not', 'it lacks scenario "b"'],
    ],
    [
      'files',
      { scenarios: [{ ...scenario('a'), file: 'moved.toml' }, scenario('b')] },
      ['it has scenario "a" of moved.toml, which this run has not', `it lacks scenario "a" of ${scenario('a').file}`],
    ],
    ['order', { scenarios: [scenario('b'), scenario('a')] }, ['its scenarios stand in another order']],
  ])('is told apart by its %s', (_, changes, differences) => {
    expect(planDifferences(ours, { ...ours, ...changes })).toEqual(differences);
  });
});
