import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { discover, rootAsSeenFrom } from '../../src/source/discover.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'passk-discover-')));
const cwd = join(base, 'suite');

beforeAll(() => {
  for (const name of [
    'suite/a/x.toml',
    'suite/a-b/x.toml',
    'suite/a/B.toml',
    'suite/a/notes.md',
    'suite/a/upper.TOML',
    'suite/.hidden/.y.toml',
    'suite/node_modules/pkg/z.toml',
    'suite/.git/refs/heads/fix.toml',
    'suite/.venv/lib/python3.12/site-packages/pkg/METADATA.toml',
    'suite/env/lib/python3.12/site-packages/pkg/METADATA.toml',
    'suite/top.toml',
    'suite/odd/[1].toml',
    'other/o.toml',
    'project/.git/HEAD',
    'project/tests/p.toml',
    'linking/here.toml',
    'empty/readme.md',
  ]) {
    mkdirSync(dirname(join(base, name)), { recursive: true });
    writeFileSync(join(base, name), '');
  }
  symlinkSync('..', join(cwd, 'a/up'));
  symlinkSync('self', join(cwd, 'self'));
  symlinkSync('nowhere', join(base, 'linking/gone.toml'));
  symlinkSync(join(base, 'other'), join(cwd, 'linked'));
  mkdirSync(join(cwd, 'folder.toml'));
});
afterAll(() => rmSync(base, { recursive: true }));

async function names(...paths: string[]): Promise<readonly string[]> {
  return (await discover(paths, { cwd })).files.map((file) => file.name);
}

async function problems(...paths: string[]): Promise<readonly string[]> {
  return (await discover(paths, { cwd })).issues.map(
    ({ code, message, at, hint }) => `${code} ${at?.file}: ${message} [${hint}]`,
  );
}

const all = ['.hidden/.y.toml', 'a/B.toml', 'a/x.toml', 'a-b/x.toml', 'linked/o.toml', 'odd/[1].toml', 'top.toml'];

test('finds every .toml file below a folder, ordered component by component', async () => {
  expect(await discover(['.'], { cwd })).toEqual({
    files: all.map((name) => ({ path: join(cwd, name), name, named: false })),
    issues: [],
    root: cwd,
  });
});

test('takes a file once however often it is named, and remembers that it was', async () => {
  expect((await discover(['a', './a/x.toml', 'top.toml', join(cwd, 'a/x.toml')], { cwd })).files).toEqual([
    { path: join(cwd, 'a/B.toml'), name: 'a/B.toml', named: false },
    { path: join(cwd, 'a/x.toml'), name: 'a/x.toml', named: true },
    { path: join(cwd, 'top.toml'), name: 'top.toml', named: true },
  ]);
});

test('takes globs, but a name that exists is no glob', async () => {
  expect(await names('a*/*.toml')).toEqual(['a/B.toml', 'a/x.toml', 'a-b/x.toml']);
  expect(await names('{a,.hidden}/**/*.toml')).toContain('.hidden/.y.toml');
  expect(await names('odd/[1].toml')).toEqual(['odd/[1].toml']);
  expect(await names('odd/*')).toEqual(['odd/[1].toml']);
  expect(await names(`${cwd}/a/*.toml`)).toEqual(['a/B.toml', 'a/x.toml']);
  expect((await names('**/*.toml')).filter((name) => name.includes('site-packages'))).toEqual([]);
});

test('takes a folder of tools where it is named itself', async () => {
  expect(await names('env/lib/python3.12/site-packages')).toEqual([
    'env/lib/python3.12/site-packages/pkg/METADATA.toml',
  ]);
});

test('names files relative to the working folder when it holds them all, else to the project of their common folder', async () => {
  expect((await discover(['a/x.toml'], { cwd })).root).toBe(cwd);
  const outside = await discover(['a/x.toml', '../other'], { cwd });
  expect([outside.root, outside.files.map((file) => file.name)]).toEqual([base, ['other/o.toml', 'suite/a/x.toml']]);
  const elsewhere = await discover(['../other/o.toml'], { cwd });
  expect([elsewhere.root, elsewhere.files.map((file) => file.name)]).toEqual([join(base, 'other'), ['o.toml']]);
  for (const paths of [['../project'], ['../project/tests/p.toml'], ['../project/*/p.toml']]) {
    const { root, files } = await discover(paths, { cwd });
    expect([root, files.map((file) => file.name)]).toEqual([join(base, 'project'), ['tests/p.toml']]);
  }
});

test('says what is wrong with each path, all at once, with places that start from the root as all do', async () => {
  expect(
    await problems('topp.toml', 'no/such.toml', '../empty', 'q/*.toml', 'a/notes.md', 'folder.toml', 'self'),
  ).toEqual([
    'file_missing suite/topp.toml: "topp.toml" does not exist. [Did you mean "top.toml"?]',
    'file_missing suite/no/such.toml: "no/such.toml" does not exist. [The folder "no" does not exist either.]',
    'no_scenarios empty: Folder "../empty" has no .toml files. [Name a folder with scenario files in it, or run `passk init` to write a first one.]',
    'no_scenarios suite/q/*.toml: The pattern "q/*.toml" matches no .toml file. [Check the pattern and its folder.]',
    'not_a_scenario suite/a/notes.md: "a/notes.md" is neither a .toml nor a .yaml file, nor a module. [Scenario files end with .toml, contracts also with .yaml or .yml, and modules with .mjs, .mts, .js or .ts: rename it.]',
    'no_scenarios suite/folder.toml: Folder "folder.toml" has no .toml files. [Name a folder with scenario files in it, or run `passk init` to write a first one.]',
    'file_missing suite/self: "self" does not exist. [It is a link that leads nowhere.]',
  ]);
});

test('a folder that holds YAML under other names alone says how they are found', async () => {
  mkdirSync(join(base, 'yaml'));
  for (const name of ['desk.yml', 'agent.yaml']) writeFileSync(join(base, 'yaml', name), '');
  expect(await problems('../yaml')).toEqual([
    'no_scenarios .: Folder "../yaml" has no .toml files. [agent.yaml is passed over: name it itself, or call it NAME.contract.yaml if it is a contract.]',
  ]);
});

test('a scenario file in a folder that is a link to nothing is listed, so that reading it reports the problem', async () => {
  const { files, issues } = await discover(['../linking'], { cwd });
  expect(files.map(({ name }) => name)).toContain('gone.toml');
  expect(issues).toEqual([]);
});

test('finds nothing for nothing', async () => {
  expect(await discover([], { cwd })).toEqual({ files: [], issues: [], root: cwd });
});

test('ends in a maze of links', async () => {
  const maze = join(base, 'maze');
  for (let i = 0; i < 12; i++) {
    mkdirSync(join(maze, `d${i}`), { recursive: true });
    writeFileSync(join(maze, `d${i}`, 's.toml'), '');
    for (let j = 0; j < 12; j++) symlinkSync(join(maze, `d${j}`), join(maze, `d${i}`, `to${j}`));
  }
  expect((await discover([maze], { cwd: maze })).files.map((file) => file.name).sort()).toEqual(
    Array.from({ length: 12 }, (_, i) => `d${i}/s.toml`).sort(),
  );
});

test('the root is seen from the working folder by the shorter way', () => {
  expect(rootAsSeenFrom('/a/b', '/a/b')).toBe(undefined);
  expect(rootAsSeenFrom('/a/b', '/a')).toBe('..');
  expect(rootAsSeenFrom('/a/b/c', '/a/d')).toBe('/a/d');
  expect(rootAsSeenFrom('/home/me/b', '/home/me/c')).toBe('../c');
  expect(rootAsSeenFrom('/home/me/b/c/d', '/srv/x')).toBe('/srv/x');
});

test('offers the whole path that was meant, whichever part of it is misspelt', async () => {
  const hints = async (...paths: string[]): Promise<readonly unknown[]> =>
    (await discover(paths, { cwd })).issues.map(({ hint }) => hint);
  expect(
    await hints('topp.toml', 'top', 'a/y.toml', '../othr/o.toml', '../othr/p.toml', 'otherr/o.toml', 'top.toml/c'),
  ).toEqual([
    'Did you mean "top.toml"?',
    'Check the path.',
    'Check the path.',
    'Did you mean "../other/o.toml"?',
    'The folder "othr" does not exist either. Did you mean "other"?',
    'The folder "otherr" does not exist either.',
    '"top.toml" is a file, not a folder.',
  ]);
});
