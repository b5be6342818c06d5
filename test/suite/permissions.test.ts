import path from 'node:path';
import { expect, test } from 'vitest';
import type { ScenarioDefinition } from '../../src/scenario/objects/define-scenario.ts';
import { loadSuite } from '../../src/suite/load-suite.ts';
import { type PermissionOptions, grantFlags, resolvePermissions } from '../../src/settings/permission-options.ts';
import { prepareRun } from '../../src/suite/run-suite.ts';
import { resolveRunOptions } from '../../src/settings/options.ts';
import { runSuite } from '../../src/suite/run-suite.ts';

type Node = Readonly<Record<string, unknown>> & { readonly type: string };

const HTTP: Node = { type: 'http_request', method: 'GET', urlFrom: 'trigger.url' };
const SHELL: Node = { type: 'shell_run', command: '/bin/true' };
const ENV: Node = { type: 'read_env', key: 'PASSK_SEAM_TEST' };
const READ: Node = { type: 'read_file', pathFrom: 'trigger.path' };
const WRITE: Node = { type: 'create_dir', pathFrom: 'trigger.path' };

function aScenario(node: Node, overrides: Partial<ScenarioDefinition> = {}): ScenarioDefinition {
  const startNodes = [{ name: 'main', source: 'manual', entryNode: 'n' }];
  const inline = { name: 'w', startNodes, nodes: [{ id: 'n', ...node }], edges: [] };
  // Nodes are as loose here as in a file.
  return { name: 's', workflow: { inline }, expected: { status: 'completed' }, ...overrides } as ScenarioDefinition;
}

/** What the real world may answer, or the loading problems. */
async function planned(scenario: ScenarioDefinition, permissions: PermissionOptions): Promise<unknown> {
  const { plan } = await prepareRun(resolveRunOptions({ scenarios: [scenario], permissions }));
  const [one] = plan.scenarios;
  return one?.traits.sync === true ? 'pure' : one?.effects;
}

test.each([
  [{ net: ['https://a.test'] }, /cannot list "https:\/\/a.test": it is a URL/],
  [{ net: ['a.test/x'] }, /it is no host, host:port or \*\.host/],
  [{ net: [''] }, /cannot list "": it is empty/],
  [{ env: ['A=B'] }, /it is no name of a variable/],
  [{ run: ['git push'] }, /arguments cannot be granted/],
  [{ read: ['/data/*'] }, /it holds a wildcard; name the folder/],
  [{ env: ['*'] }, /`true` grants everything/],
  [{ nett: true }, /`permissions` has no `nett`; there are net, run, env, read, write/],
  [{ net: 'a.test' }, /`permissions\.net` must be true, false or a list of texts/],
  [true, /`permissions` must be a table/],
])('permissions that cannot be granted are refused: %j', async (permissions, message) => {
  // As a JavaScript program would pass them.
  const given = { scenarios: [aScenario(ENV)], permissions: permissions as never };
  await expect(runSuite(given)).rejects.toMatchObject({ code: 'USAGE', message: expect.stringMatching(message) });
  await expect(loadSuite(given)).rejects.toMatchObject({ code: 'USAGE' });
});

test('paths are made absolute, lists sorted and without repeats, and shown again as flags', () => {
  const given = { read: ['data', './data', '/srv'], run: ['git', './tool'], net: true, env: [] };
  const permissions = resolvePermissions(given, '/work');
  expect(permissions).toEqual({
    net: true,
    run: ['/work/tool', 'git'],
    env: false,
    read: ['/srv', '/work/data'],
    write: false,
  });
  const flags = grantFlags(permissions, '/work');
  expect(flags).toEqual(['--allow-net', '--allow-run=./tool,git', '--allow-read=../srv,data']);
});

test.each([
  ['nothing is granted', ENV, {}, {}, 'pure'],
  ['another variable is granted', ENV, { env: ['HOME'] }, {}, 'pure'],
  ['the variable is declared', ENV, { env: true }, { world: { env: { PASSK_SEAM_TEST: 'x' } } }, 'pure'],
  ['the variable is granted', ENV, { env: ['PASSK_SEAM_TEST'] }, {}, ['env']],
  ['no mock answers a request', HTTP, { net: true }, {}, ['http']],
  [
    'a mock answers one URL',
    HTTP,
    { net: true },
    { world: { http: [{ method: 'GET', url: 'http://a/x' }] } },
    ['http'],
  ],
  ['a mock answers all URLs', HTTP, { net: true }, { world: { http: [{ method: 'GET', url: '*' }] } }, 'pure'],
  ['a mock answers the program', SHELL, { run: true }, { world: { processes: [{ command: '/bin/true' }] } }, 'pure'],
  [
    'a mock answers some arguments',
    SHELL,
    { run: true },
    { world: { processes: [{ command: '/bin/true', args: ['x'] }] } },
    ['process'],
  ],
  [
    'the node has no use for the grant',
    SHELL,
    { net: true, env: true },
    { world: { processes: [{ command: '/bin/true' }] } },
    'pure',
  ],
  ['files may be read', READ, { read: ['/data'] }, {}, ['file']],
  ['files may be written but are read', READ, { write: ['/data'] }, {}, 'pure'],
  ['folders may be made', WRITE, { write: ['/data'] }, {}, ['file']],
] as const)('what the real world may answer is planned: %s', async (_, node, permissions, overrides, expected) => {
  const scenario = aScenario(node, overrides as Partial<ScenarioDefinition>);
  expect(await planned(scenario, permissions)).toEqual(expected);
});

test('load errors and notices name the flag that would allow it, and go away with it', async () => {
  const told = async (node: Node, permissions: PermissionOptions): Promise<readonly string[]> => {
    const { issues } = await loadSuite({ scenarios: [aScenario(node)], permissions });
    return issues.map(({ code, hint }) => `${code} ${/--allow-\w+=\S*\w/.exec(hint ?? '')?.[0]}`);
  };
  expect(await told(HTTP, {})).toEqual(['no_mock --allow-net=HOST']);
  expect(await told(HTTP, { net: ['a.test'] })).toEqual([]);
  expect(await told(SHELL, {})).toEqual(['no_mock --allow-run=/bin/true']);
  expect(await told(SHELL, { run: ['true'] })).toEqual([]);
  expect(await told(ENV, {})).toEqual(['undeclared_env --allow-env=PASSK_SEAM_TEST']);
  expect(await told(ENV, { env: ['OTHER'] })).toEqual(['undeclared_env --allow-env=PASSK_SEAM_TEST']);
  expect(await told(ENV, { env: ['PASSK_SEAM_TEST'] })).toEqual([]);
});

test('a plan tells workers of grants only where there are any', async () => {
  const plan = async (permissions: PermissionOptions) =>
    (await prepareRun(resolveRunOptions({ scenarios: [aScenario(ENV)], permissions, cwd: '/work' }))).plan;
  expect('granted' in (await plan({ env: [], net: false }))).toBe(false);
  expect((await plan({ read: ['x'] })).granted).toEqual({
    permissions: { net: false, run: false, env: false, read: [path.resolve('/work/x')], write: false },
    root: '/work',
  });
});
