import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { SuiteReport } from '../../src/index.ts';
import { aFolder, runPassk } from './run-passk.ts';
import { judged } from '../support/sampled.ts';

/** A folder with a scenario that passes only where the real variable SEAM_REGION is read. */
function aProject(files: Readonly<Record<string, string>> = {}): string {
  const root = aFolder();
  const scenario = `
name = "region"
trials = 3

[workflow]
inline = '''
name = "w"
start_nodes = [{ name = "main", source = "manual", entry_node = "region" }]
nodes = [{ id = "region", type = "read_env", key = "SEAM_REGION" }]
edges = []
'''

[world.env]

[expected]
final = { equals = { key = "SEAM_REGION", value = "north" } }
`;
  mkdirSync(path.join(root, '.git'));
  for (const [name, text] of Object.entries({ 'region.toml': scenario, ...files })) {
    writeFileSync(path.join(root, name), text);
  }
  return root;
}

const env = { SEAM_REGION: 'north' };

test('run reads a granted variable of the real environment, and no other', async () => {
  const cwd = aProject();
  const run = async (...flags: string[]): Promise<readonly unknown[]> => {
    const { stdout } = await runPassk(['run', ...flags, 'region.toml', '--json'], { cwd, env });
    const [scenario] = (JSON.parse(stdout) as SuiteReport).scenarios;
    return [scenario?.trials.passed, judged(scenario).pure, judged(scenario).effects];
  };
  expect(await run()).toEqual([0, true, undefined]);
  expect(await run('--allow-env=HOME,SEAM_OTHER')).toEqual([0, true, undefined]);
  expect(await run('--allow-env=HOME', '--allow-env=SEAM_REGION')).toEqual([3, false, ['env']]);
  expect(await run('--allow-env')).toEqual([3, false, ['env']]);
});

test('the report says what was real, and its replay command grants the same', async () => {
  const cwd = aProject();
  const failed = await runPassk(['region.toml', '--allow-env=SEAM_REGION'], { cwd, env: { SEAM_REGION: 'south' } });
  expect(failed.stdout).toContain('real effects  env in 1 scenario');
  expect(failed.stdout.replaceAll(/\s+/g, ' ')).toContain(
    'passk trace region.toml --trial 0 --seed 0 --allow-env=SEAM_REGION',
  );
  const traced = await runPassk(['trace', 'region.toml', '--allow-env=SEAM_REGION'], { cwd, env });
  expect(traced.stdout).toContain('{"key": "SEAM_REGION", "value": "north"} (effect)');
});

test.each(['1', 'true', ' Yes ', '0', 'off'])(
  'a variable that says %j names nothing that could be granted',
  async (word) => {
    for (const kind of ['NET', 'RUN', 'ENV', 'READ', 'WRITE']) {
      const { status, stderr } = await runPassk(['config'], { cwd: aFolder(), env: { [`PASSK_ALLOW_${kind}`]: word } });
      expect([status, stderr]).toEqual([
        2,
        `passk: PASSK_ALLOW_${kind}=${word}: Name what is granted; "*" grants everything of its kind.\n`,
      ]);
    }
  },
);

test('[allow] in passk.toml and variables grant as flags do, and config shows where', async () => {
  const cwd = aProject({ 'passk.toml': '[allow]\nenv = ["SEAM_REGION"]\nread = ["data"]\n' });
  expect((await runPassk(['region.toml', '--trust'], { cwd, env })).status).toBe(0);
  const { stdout } = await runPassk(['config', '--trust', '--json'], {
    cwd,
    env: { PASSK_ALLOW_NET: 'a.test, b.test:80' },
  });
  const settings = JSON.parse(stdout) as readonly { key: string; value: unknown; from: string }[];
  const allowed = settings
    .filter(({ key }) => key.startsWith('allow.'))
    .map(({ key, value, from }) => [key, value, from]);
  expect(allowed).toEqual([
    ['allow.net', ['a.test', 'b.test:80'], 'PASSK_ALLOW_NET'],
    ['allow.run', null, 'default'],
    ['allow.env', ['SEAM_REGION'], 'passk.toml:2'],
    ['allow.read', [path.join(cwd, 'data')], 'passk.toml:3'],
    ['allow.write', null, 'default'],
  ]);
});

test('a list that cannot be granted is told where it stands, and nothing runs', async () => {
  const cwd = aProject();
  for (const flag of ['--allow-net=', '--allow-env=A,,B', '--allow-net=http://a.test']) {
    const { status, stdout } = await runPassk(['region.toml', flag], { cwd, env });
    expect([flag, status, stdout]).toEqual([flag, 2, '']);
  }
  const bad = aProject({ 'passk.toml': '[allow]\nnet = [\n  "a.test",\n  "http://a.test",\n]\n' });
  const { status, stderr } = await runPassk(['region.toml'], { cwd: bad, env });
  expect(status).toBe(2);
  expect(stderr).toContain('passk.toml:4:3');
});

test('the journal of a run with other grants is refused', async () => {
  const cwd = aProject();
  const run = (...flags: string[]) => runPassk(['region.toml', '--journal', 'j', ...flags], { cwd, env });
  await run();
  const { status, stderr } = await run('--resume', '--allow-env=SEAM_REGION');
  expect(status).toBe(2);
  expect(stderr.replaceAll(/\s+/g, ' ')).toContain('it was run with no grants, not --allow-env=SEAM_REGION');
});
