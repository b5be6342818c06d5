import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { VERBS } from '../../src/cli/program.ts';
import { aFolder, aGreeting, type Ended, PASSK, runPassk } from './run-passk.ts';

/** Leaves a file behind wherever it is run. */
const MODULE = `import { writeFileSync } from 'node:fs';
writeFileSync(new URL('./ran', import.meta.url), 'x');
`;
const CONFIG = `${MODULE}export default { trials: 5, allow: { run: true } };\n`;
const PLUGIN = `${MODULE}export const shout = { kind: 'reporter', type: 'shout', summary: 'Shouts.', render: () => 'SHOUTED' };\n`;

interface Project {
  readonly root: string;
  readonly state: string;
  readonly hasRun: () => boolean;
  readonly passk: (args: readonly string[], env?: NodeJS.ProcessEnv) => Promise<Ended>;
}

/** A folder that somebody else filled, and a user who has agreed to nothing yet. */
function aProject(files: Readonly<Record<string, string>>): Project {
  const root = aFolder();
  const state = aFolder();
  mkdirSync(path.join(root, '.git'));
  const all = { 'a.toml': aGreeting(), 'rep.mjs': PLUGIN, ...files };
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  }
  return {
    root,
    state,
    hasRun: () => existsSync(path.join(root, 'ran')),
    passk: (args, env = {}) => runPassk(args, { cwd: root, env: { XDG_STATE_HOME: state, ...env } }),
  };
}

const LOOKING: Readonly<Record<string, readonly string[]>> = {
  validate: ['a.toml'],
  list: ['a.toml'],
  generate: ['a.toml', '--out', 'generated'],
  plan: ['a.toml', '--trials', '8'],
  explain: ['a.toml'],
  config: [],
  history: [],
  merge: ['one.shard'],
  plugins: [],
  contract: ['validate', 'a.toml'],
  'model list': ['a.toml'],
  'model lint': ['a.toml'],
  chaos: ['proxy', '--column', 'x'],
  audit: ['table', 'none.csv'],
  judge: ['calibrate', 'none.csv', '--judge', 'gpt'],
  'judge tunnel': ['--pairs', '100', '--trials', '2', '--protocol', 'plain'],
  'release explain': ['none.json'],
  'release init': ['--dry-run'],
  help: [],
  schema: [],
  init: ['new'],
  scrub: ['none.json', '--check'],
  canary: ['status', 'none.toml'],
  open: ['none.json', '--no-browser'],
};
const ACTING: Readonly<Record<string, readonly string[]>> = {
  run: ['a.toml'],
  ci: ['a.toml'],
  probe: ['a.toml', '--max-cost', '1'],
  'model check': ['a.toml'],
  score: ['runs.json'],
  compare: ['a.json', 'b.json'],
  export: ['runs.json', '--format', 'jsonl'],
  import: ['runs.json', '--out', 'sessions', '--consent', 'consent.toml'],
  price: ['runs.json', '--rates', 'rates.toml'],
  'audit set': ['a.toml'],
  'release run': ['a.toml', '--out', 'release.json'],
  certify: ['a.toml', '--out', 'a.cert'],
  golden: ['pin', 'a.toml', '--out', 'golden.json'],
  'golden run': ['golden.json'],
  'canary shadow': ['canary.toml', 'a.toml', '--agents', 'a.toml', '--out', 'shadow.jsonl'],
  trace: ['a.toml'],
  worker: ['--queue', 'redis://127.0.0.1:1', '--queue-timeout', '1'],
};

test('every command either looks or acts', () => {
  const verbs = [...Object.keys(LOOKING), ...Object.keys(ACTING)].map((words) => words.split(' ')[0]);
  expect([...new Set(verbs)].sort()).toEqual([...VERBS].sort());
});

describe.each([
  ['a configuration module', { 'passk.config.mjs': CONFIG }],
  ['plug-ins of passk.toml', { 'passk.toml': 'plugins = ["./rep.mjs"]\n' }],
])('%s', (_what, files) => {
  test.each(Object.entries(LOOKING))('is not run by %s, which only looks', async (verb, args) => {
    const { passk, hasRun } = aProject(files);
    if (verb === 'merge') await passk(['run', 'a.toml', '--no-config', '--shard', '1/1', '--out', 'one.shard']);
    const { stderr } = await passk([...verb.split(' '), ...args]);
    expect(hasRun()).toBe(false);
    expect(stderr).not.toContain('internal error');
  });

  test.each([...Object.entries(ACTING), ['contract', ['run', 'a.toml']], ['contract', ['score', 'a.toml']]] as const)(
    'keeps %s from acting until somebody agrees',
    async (verb, args) => {
      const { passk, hasRun } = aProject(files);
      const { status, stdout, stderr } = await passk([...verb.split(' '), ...args]);
      expect([status, stdout, hasRun()]).toEqual([2, '', false]);
      expect(stderr).toContain('--trust');
      expect(stderr).toContain('PASSK_TRUST=1');
      expect(stderr).toContain('--no-config');
    },
  );

  test.each([
    ['--trust', ['run', 'a.toml', '--trust'], {}],
    ['PASSK_TRUST', ['run', 'a.toml'], { PASSK_TRUST: '1' }],
    ['naming the file', ['run', 'a.toml', '--config', Object.keys(files)[0] ?? ''], {}],
  ])('is run for who says %s, and remembered by nobody', async (_how, args, env) => {
    const { passk, hasRun, state } = aProject(files);
    expect((await passk(args, env)).status).toBe(0);
    expect([hasRun(), readdirSync(state)]).toEqual([true, []]);
  });

  test('is left out by --no-config', async () => {
    const { passk, hasRun } = aProject(files);
    expect([(await passk(['run', 'a.toml', '--no-config'])).status, hasRun()]).toEqual([0, false]);
  });
});

test.each([
  ['[allow]\nrun = true\n', 'start programs: allow.run = true (passk.toml:2)'],
  ['[allow]\nnet = ["a.test"]\n', 'reach the network: allow.net = ["a.test"] (passk.toml:2)'],
  ['[allow]\nenv = ["HOME"]\n', 'read variables of the environment: allow.env = ["HOME"] (passk.toml:2)'],
  ['[allow]\nread = true\n', 'read files: allow.read = true (passk.toml:2)'],
  ['[allow]\nwrite = true\n', 'write files: allow.write = true (passk.toml:2)'],
  [
    'reporters = ["text:../../x"]\n',
    'write files outside of the repository: reporters = ["text:../../x"] (passk.toml:1)',
  ],
  ['reporters = ["text:.git/config"]\n', 'write files outside of the repository'],
  ['reporters = ["text:link/x"]\n', 'write files outside of the repository'],
  [
    'reporters = ["text", "otlp:http://127.0.0.1:9/v1"]\n',
    'send reports to servers that it names: reporters = ["text","otlp:http://127.0.0.1:9/v1"] (passk.toml:1)',
  ],
  ['history = "/x/history"\n', 'write files outside of the repository: history'],
  ['journal = "../j"\n', 'write files outside of the repository: journal'],
  ['save_baseline = "../b"\n', 'write files outside of the repository: saveBaseline'],
  ['baseline = "../b"\n', 'read files outside of the repository: baseline'],
  [
    '[models.default]\nprovider = "openai"\nmodel = "m"\nbase_url = "http://evil.test"\n',
    'send keys to servers that it names',
  ],
  [
    '[models.default]\nprovider = "openai"\nmodel = "m"\napi_key_env = "AWS_SECRET"\n',
    'send keys to servers that it names',
  ],
])('%j of passk.toml needs an answer', async (toml, wants) => {
  const { passk, root } = aProject({ 'passk.toml': toml });
  symlinkSync('/', path.join(root, 'link'));
  const { status, stdout, stderr } = await passk(['run', 'a.toml', '--live']);
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toContain(wants);
});

test.each(['paths = ["../*.toml"]', 'paths = ["{a,../b}.toml"]', 'paths = ["link/etc"]'])(
  '%s of passk.toml needs an answer',
  async (toml) => {
    const { passk, root } = aProject({ 'passk.toml': toml });
    symlinkSync('/', path.join(root, 'link'));
    const { status, stderr } = await passk(['run']);
    expect([status, stderr.includes('read files outside of the repository: paths')]).toEqual([2, true]);
  },
);

test('a release run writes nowhere outside until somebody agrees, and a flag takes the place of the file', async () => {
  const toml = '[release]\ntier = "dev"\ncandidate = { version = "1" }\nlog = "../log.jsonl"\n';
  const { passk } = aProject({ 'passk.toml': toml });
  const args = ['release', 'run', 'a.toml', '--out', 'r.json', '--key', 'none.key'];
  const asked = await passk(args);
  expect([asked.status, asked.stderr.includes('release.log = "../log.jsonl" (passk.toml:4)')]).toEqual([2, true]);
  expect((await passk([...args, '--log', 'log.jsonl'])).stderr).not.toContain('agreed');
});

test('settings that ask for nothing are used, and so is a file whose requests a flag replaces', async () => {
  const plain = 'paths = ["a.toml"]\ntrials = 5\nreporters = ["text", "json:out/r.json"]\nhistory = ".passk/h"\n';
  const { passk, root } = aProject({ 'passk.toml': plain, 'out/x': '' });
  expect(await passk([])).toMatchObject({ status: 0, stderr: '' });
  expect(existsSync(path.join(root, 'out', 'r.json'))).toBe(true);
  const asking = aProject({ 'passk.toml': '[allow]\nnet = true\n' });
  expect(await asking.passk(['a.toml', '--allow-net=a.test'])).toMatchObject({ status: 0, stderr: '' });
});

test('commands that look leave out what nobody agreed to and say so; config shows it and what it waits for', async () => {
  const { passk } = aProject({ 'passk.toml': 'trials = 5\n[allow]\nread = true\n' });
  const listed = await passk(['list', 'a.toml']);
  expect([listed.status, listed.stderr]).toEqual([
    0,
    'passk: passk.toml: allow.read left out, since nobody has agreed to it; --trust uses it.\n',
  ]);
  const { stdout } = await passk(['config', '--json']);
  const settings = JSON.parse(stdout) as readonly { readonly key: string; readonly from: string }[];
  expect(settings.find(({ key }) => key === 'allow.read')).toEqual({
    key: 'allow.read',
    value: true,
    from: 'passk.toml:3, if you agree',
  });
  const module = aProject({ 'passk.config.mjs': CONFIG });
  expect((await module.passk(['config'])).stderr).toBe(
    'passk: passk.config.mjs was not run, and nothing of it is used; --trust runs it.\n',
  );
});

test('a run says which line of the settings granted what', async () => {
  const { passk } = aProject({ 'passk.toml': '[allow]\nenv = ["HOME"]\nrun = false\n' });
  const { stderr } = await passk(['a.toml', '--trust']);
  expect(stderr).toBe('passk: passk.toml:2 grants allow.env = ["HOME"].\n');
  expect((await passk(['a.toml', '--trust', '--quiet'])).stderr).toBe('');
});

// A real terminal is made by `script` of util-linux; its flags differ elsewhere.
const hasScript = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;
const required = (process.env['PASSK_REQUIRE'] ?? '').split(',').includes('script');

describe.skipIf(!hasScript && !required)('on a terminal (needs script)', () => {
  test('it is asked once for a folder and what its file asks for', async () => {
    const project = aProject({ 'passk.toml': 'plugins = ["./rep.mjs"]\n' });
    const refused = await onTerminal(project, 'n');
    expect([refused.status, project.hasRun()]).toEqual([2, false]);
    expect(refused.text).toContain('run code: plugins = ["./rep.mjs"] (passk.toml:1)');
    expect(refused.text).toContain('You did not agree; nothing was run.');
    const agreed = await onTerminal(project, 'y');
    expect([agreed.status, project.hasRun()]).toEqual([0, true]);
    expect((await onTerminal(project, null)).text).not.toContain('Agree');
    // Without a terminal the answer counts as well, also after changes that ask for nothing.
    writeFileSync(path.join(project.root, 'passk.toml'), '# tidy\nplugins = ["./rep.mjs"]\ntrials = 5\n');
    expect((await project.passk(['a.toml'])).status).toBe(0);
    writeFileSync(path.join(project.root, 'passk.toml'), 'plugins = ["./rep.mjs"]\n[allow]\nrun = true\n');
    expect((await project.passk(['a.toml'])).status).toBe(2);
  });

  test('a copy of the folder, and a link to a file that was agreed to, are asked about anew', async () => {
    const project = aProject({ 'passk.toml': 'plugins = ["./rep.mjs"]\n' });
    await onTerminal(project, 'y');
    const other = aProject({});
    symlinkSync(path.join(project.root, 'passk.toml'), path.join(other.root, 'passk.toml'));
    const { status } = await other.passk(['a.toml'], { XDG_STATE_HOME: project.state });
    expect([status, other.hasRun()]).toEqual([2, false]);
  });

  test('a module is asked about again when it changes', async () => {
    const project = aProject({ 'passk.config.mjs': CONFIG });
    expect((await onTerminal(project, 'yes')).status).toBe(0);
    expect((await project.passk(['a.toml'])).status).toBe(0);
    writeFileSync(path.join(project.root, 'passk.config.mjs'), `${CONFIG}// more\n`);
    expect((await project.passk(['a.toml'])).status).toBe(2);
  });
});

/** `passk a.toml` on a terminal, with an answer once it asks; null: nobody types. */
function onTerminal(
  { root, state }: Project,
  answer: string | null,
): Promise<{ readonly text: string; readonly status: number | null }> {
  const { CI: _ci, ...inherited } = process.env;
  const command = `stty cols 80 rows 24 && '${process.execPath}' '${PASSK}' a.toml --no-color`;
  const child = spawn('script', ['--quiet', '--flush', '--return', '--command', command, '/dev/null'], {
    cwd: root,
    env: { ...inherited, TERM: 'xterm', LANG: 'C.UTF-8', XDG_STATE_HOME: state },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part;
    if (answer !== null && text.includes('[y/N]') && child.stdin.writable) child.stdin.end(`${answer}\n`);
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => resolve({ text, status }));
  });
}
