import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readReport, type SuiteReport } from '../../src/index.ts';
import { aFolder, aGreeting, runPassk } from './run-passk.ts';
import { sampled } from '../support/sampled.ts';

const REASON = 'settled after 4,096 of 30,000 trials: no result of the others could change that it fails';

/** The text without its line breaks and indents. */
const flat = (text: string): string => text.replaceAll(/\s+/g, ' ');

test('a bare --stop-early takes no path for its rule, and every report says where a scenario stopped', async () => {
  const cwd = aFolder();
  writeFileSync(path.join(cwd, 'a.toml'), aGreeting({ trials: 30_000, lastNode: 'greet' }));
  const reporters = ['text', 'json:r.json', 'html:r.html', 'junit:r.xml', 'tap:r.tap'].flatMap((one) => ['-r', one]);
  const { status, stdout, stderr } = await runPassk(['run', '--stop-early', 'a.toml', ...reporters], { cwd });
  expect([status, stderr]).toEqual([1, '']);
  expect(flat(stdout)).toContain(REASON);
  expect(flat(stdout)).toContain('4,096 of 30,000 run');
  for (const file of ['r.html', 'r.xml', 'r.tap']) {
    expect(flat(readFileSync(path.join(cwd, file), 'utf8')), file).toContain(REASON);
  }
  const { scenarios } = await readReport('r.json', { cwd });
  expect(sampled(scenarios[0]).stopEarly).toEqual({ rule: 'curtail', verdict: 'fail', reason: `${REASON}.` });
});

test('the rule can stand in a variable and in passk.toml, and a wrong one is refused', async () => {
  const cwd = aFolder();
  writeFileSync(path.join(cwd, 'a.toml'), aGreeting({ trials: 9000, lastNode: 'greet', top: 'min_pass_rate = 0.9' }));
  writeFileSync(path.join(cwd, 'passk.toml'), 'stop_early = true\n');
  const ran = async (args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<unknown> => {
    const { stdout, stderr } = await runPassk(['run', 'a.toml', '--json', ...args], { cwd, env });
    if (stdout === '') return stderr;
    const [scenario] = (JSON.parse(stdout) as SuiteReport).scenarios;
    return [sampled(scenario).stopEarly?.rule, scenario?.trials.executed];
  };
  expect(await ran([])).toEqual(['curtail', 4096]);
  expect(await ran([], { PASSK_STOP_EARLY: '0' })).toEqual([undefined, 9000]);
  expect(await ran(['--stop-early=sprt'], { PASSK_STOP_EARLY: '0' })).toEqual(['sprt', 4096]);
  expect(await ran(['--stop-early=soon'])).toContain('Expected curtail or sprt.');
});
