import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { aFolder, aGreeting, runPassk } from '../cli/run-passk.ts';

/** What a user keeps in a project, and what must be seen of none of it. */
const PRIVATE: Readonly<Record<string, string>> = {
  '.git/config':
    '[core]\n\tbare = false\n[http "https://host.test/"]\n\textraheader = AUTHORIZATION: basic CANARYCONFIG==\n',
  '.env': '# CANARYENV\nAPI_KEY=CANARYENV\nNODES=CANARYENV\n',
  '.npmrc': '//registry.test/:_authToken=CANARYNPM\n',
  id_rsa: '-----BEGIN OPENSSH PRIVATE KEY-----\nCANARYKEY\n-----END OPENSSH PRIVATE KEY-----\n',
  'broken.json': '{"token": "CANARYBROKEN",}\n',
  'creds.json': '{"type": "CANARYTYPE", "private_key": "CANARYJSON", "properties": "CANARYPROPERTIES"}\n',
  'credentials.toml': '[registry]\ntoken = "CANARYTOML"\nnumber = 99999999999999999999\n',
  'profile.yaml': 'token: CANARYYAML\nwhen: 2024-99-99\n',
  'broken.yaml': 'token: [CANARYYAML\n',
};

/** How a scenario or contract may name a file. */
const WAYS: Readonly<Record<string, (file: string) => string>> = {
  workflow: (file) => `name = "w"\n[workflow]\npath = "../${file}"\n`,
  'child workflow': (file) => `name = "c"
[workflow]
inline = '''
name = "c"
start_nodes = [{ name = "main", source = "manual", entry_node = "call" }]
nodes = [{ id = "call", type = "call", workflow = "../${file}" }]
edges = []
'''
`,
  'output schema': (file) => `name = "s"
[workflow]
inline = '''
name = "s"
start_nodes = [{ name = "main", source = "manual", entry_node = "ask" }]
nodes = [{ id = "ask", type = "llm_infer", backend = "default", prompt = "x", output_schema = "../${file}" }]
edges = []
'''
[[intel.turns]]
content = "{}"
`,
  profile: (file) => `[contract]
name = "p"
prompts = ["x"]
[[contract.invariants]]
id = "i"
type = "completes"
[chaos]
profile = "../${file}"
[workflow]
inline = '''
name = "p"
start_nodes = [{ name = "main", source = "manual", entry_node = "n" }]
nodes = [{ id = "n", type = "merge" }]
edges = []
'''
`,
  'schema of an invariant': (file) => `[contract]
name = "i"
prompts = ["x"]
[[contract.invariants]]
id = "i"
type = "json_schema"
schema = "../${file}"
[workflow]
inline = '''
name = "i"
start_nodes = [{ name = "main", source = "manual", entry_node = "n" }]
nodes = [{ id = "n", type = "merge" }]
edges = []
'''
`,
};

/** A project with private files, and what a stranger's pull request adds to it. */
function aProject(files: Readonly<Record<string, string>>): string {
  const root = aFolder();
  for (const [file, text] of Object.entries({ ...PRIVATE, 'suite/good.toml': aGreeting(), ...files })) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  }
  return root;
}

/** All that commands show of the suite. */
async function shownOf(cwd: string): Promise<string> {
  const texts: string[] = [];
  for (const args of [
    ['run', 'suite', '--keep-going', '--verbose', '-r', 'text', '-r', 'json:a.json', '-r', 'junit:a.xml'],
    ['run', 'suite', '--keep-going', '-r', 'github'],
    ['run', 'suite', '--keep-going', '--json'],
    ['validate', 'suite'],
    ['validate', 'suite', '--json'],
    ['list', 'suite'],
    ['plan', 'suite'],
    ['contract', 'validate', 'suite'],
  ]) {
    const { stdout, stderr } = await runPassk(args, { cwd });
    texts.push(stdout, stderr);
  }
  const { stdout } = await runPassk(['run', 'suite', '--keep-going', '-r', 'junit'], { cwd });
  return [...texts, stdout].join('\n');
}

describe.each(Object.entries(WAYS))('named as a %s', (way, written) => {
  test('no file of the user is shown, wherever its problem would be', async () => {
    const names = Object.keys(PRIVATE);
    const cwd = aProject(Object.fromEntries(names.map((file, index) => [`suite/evil-${index}.toml`, written(file)])));
    const shown = await shownOf(cwd);
    expect(shown.match(/CANARY\w*/g) ?? []).toEqual([]);
    // They were looked at: most are no file of that kind, and say so.
    expect(shown).toMatch(way === 'profile' ? /There is no chaos profile|is not/ : /is not/);
  });
});

test('links planted in a suite show nothing of what they lead to', async () => {
  const cwd = aProject({});
  for (const [index, file] of Object.keys(PRIVATE).entries()) {
    symlinkSync(path.join(cwd, file), path.join(cwd, 'suite', `evil-${index}.toml`));
    symlinkSync(path.join(cwd, file), path.join(cwd, 'suite', `evil-${index}.contract.yaml`));
  }
  const shown = await shownOf(cwd);
  expect(shown.match(/CANARY\w*/g) ?? []).toEqual([]);
  expect(shown).toContain('is a link to a file of another kind; it was not opened.');
});

/** What is said of settings by a command that runs, and by one that only looks. */
async function settingsShownOf(cwd: string): Promise<string> {
  const [run, looked] = [await runPassk(['run', 'suite'], { cwd }), await runPassk(['validate', 'suite'], { cwd })];
  return [run.stdout, run.stderr, looked.stdout, looked.stderr].join('\n');
}

test('settings that are a link show nothing either, and neither does a baseline that they name', async () => {
  for (const file of Object.keys(PRIVATE)) {
    const cwd = aProject({});
    symlinkSync(path.join(cwd, file), path.join(cwd, 'passk.toml'));
    // Each command reads settings alike: one file is tried with all of them.
    const linked = file === '.env' ? await shownOf(cwd) : await settingsShownOf(cwd);
    expect(linked).toContain('passk.toml is a link to a file of another name, which is not read.');
    rmSync(path.join(cwd, 'passk.toml'));
    writeFileSync(path.join(cwd, 'passk.toml'), `baseline = "${file}"\n`);
    const { stdout, stderr } = await runPassk(['run', 'suite'], { cwd });
    expect(`${linked}${stdout}${stderr}`.match(/CANARY\w*/g) ?? []).toEqual([]);
    expect(stderr).not.toBe('');
  }
});

test('a workflow that another file names is shown with its lines, because it is one', async () => {
  const flow =
    'name = "f"\nstart_nodes = [{ name = "main", source = "manual", entry_node = "n" }]\nnodes = [{ id = "n", type = "mrege" }]\nedges = []\n';
  const cwd = aProject({ 'flow.toml': flow, 'suite/a.toml': 'name = "a"\n[workflow]\npath = "../flow.toml"\n' });
  const { stdout } = await runPassk(['validate', 'suite/a.toml'], { cwd });
  expect(stdout).toContain('3 | nodes = [{ id = "n", type = "mrege" }]');
  // A file that cannot be parsed is none, unless the user names it.
  writeFileSync(path.join(cwd, 'flow.toml'), `${flow}x = [\n`);
  const hidden = await runPassk(['validate', 'suite/a.toml'], { cwd });
  expect(hidden.stdout).toContain('File "flow.toml" is not valid TOML.');
  expect(hidden.stdout).toMatch(/--> flow\.toml:[56]:/);
  expect(hidden.stdout).not.toContain('x = [');
  expect((await runPassk(['validate', 'flow.toml'], { cwd })).stdout).toContain('x = [');
});

test('a key that stands in the wrong place of the settings is named, and its value is starred out', async () => {
  const cwd = aProject({
    'passk.toml':
      'trials = 5\n[models.default]\nprovider = "openai"\nmodel = "m"\napi_key = "sk-CANARY-in-the-wrong-place"\npassword = CANARY-without-quotes\n',
  });
  const { stderr } = await runPassk(['run', 'suite'], { cwd });
  expect(stderr).toContain('passk.toml:6');
  writeFileSync(
    path.join(cwd, 'passk.toml'),
    '[models.default]\nprovider = "openai"\nmodel = "m"\napi_key = "sk-CANARY-in-the-wrong-place"\nkey_env = "A"\n',
  );
  const { stderr: parsed } = await runPassk(['run', 'suite'], { cwd });
  expect(parsed).toContain(`api_key = "${'*'.repeat('sk-CANARY-in-the-wrong-place'.length)}"`);
  expect(`${stderr}${parsed}`).not.toContain('CANARY');
});
