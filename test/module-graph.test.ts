import { readFileSync } from 'node:fs';
import type { Metafile } from 'esbuild';
import { expect, test } from 'vitest';

type Outputs = Metafile['outputs'];

/** What the build says each entry consists of. */
const graphs = JSON.parse(readFileSync(new URL('../dist/graphs.json', import.meta.url), 'utf8')) as Readonly<
  Record<'library' | 'app' | 'scripts', Outputs>
>;

// Start-up is module count: what an entry loads before it does anything must stay small.
test('the command line loads nothing but its parser before it knows what is asked', () => {
  expect(packagesAtStart(graphs.app, 'src/cli/main.ts')).toEqual(['commander']);
});

test('the library loads no HTTP client, schema compiler, YAML parser, watcher, glob or pattern library until it needs one', () => {
  const heavy = [
    're2js',
    'undici',
    'typebox',
    'yaml',
    'chokidar',
    'log-update',
    'tinyglobby',
    '@modelcontextprotocol/sdk',
    'bullmq',
  ];
  const loaded = packagesAtStart(graphs.library, 'src/index.ts');
  expect(loaded.filter((name) => heavy.includes(name))).toEqual([]);
});

test('a worker loads no file parser, schema compiler or pattern library until it needs one', () => {
  const heavy = [
    're2js',
    'undici',
    'typebox',
    'smol-toml',
    'toml-eslint-parser',
    'yaml',
    'commander',
    'log-update',
    'tinyglobby',
  ];
  const loaded = packagesAtStart(graphs.app, 'workers/trial-worker.ts');
  expect(loaded.filter((name) => heavy.includes(name))).toEqual([]);
});

test('the licences of everything that is bundled travel with the bundles', () => {
  const licences = readFileSync(new URL('../dist/bin/LICENSES.txt', import.meta.url), 'utf8');
  const packages = Object.values(graphs).flatMap((outputs) => Object.values(outputs).flatMap(packagesIn));
  const missing = [...new Set(packages)].filter((name) => !licences.includes(`${name} `));
  expect({ packages: packages.length > 0, missing, empty: licences.split(/^-{80}$/m).filter(isEmptyLicence) }).toEqual({
    packages: true,
    missing: [],
    empty: [],
  });
});

test.each([
  ['undici', ['Agent', 'Client', 'fetch']],
  ['yaml', ['parseDocument', 'isAlias', 'isMap', 'isScalar', 'isSeq']],
])('%s, which is loaded on demand, has its names in a bundle too', (name, words) => {
  const loaded = Object.values(graphs)
    .flatMap((outputs) => Object.values(outputs))
    .filter(({ entryPoint }) => entryPoint?.endsWith(`:${name}`));
  expect(new Set(loaded.map(({ exports }) => words.every((word) => exports.includes(word))))).toEqual(new Set([true]));
});

/** Packages in the entry's own bundle and in the chunks it imports statically. */
function packagesAtStart(outputs: Outputs, source: string): readonly string[] {
  const first = Object.keys(outputs).find((name) => outputs[name]?.entryPoint === source);
  const open = first === undefined ? [] : [first];
  const seen = new Set<string>();
  const packages = new Set<string>();
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    for (const { path, kind, external } of outputs[name]?.imports ?? []) {
      if (kind !== 'import-statement') continue;
      if (external !== true) open.push(path);
      else if (!path.startsWith('node:')) packages.add(path);
    }
    for (const found of packagesIn(outputs[name])) packages.add(found);
  }
  expect(seen.size).toBeGreaterThan(0);
  return [...packages].sort();
}

function packagesIn(output: Outputs[string] | undefined): readonly string[] {
  return Object.keys(output?.inputs ?? {}).flatMap(
    (input) => /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? [],
  );
}

function isEmptyLicence(section: string): boolean {
  return section.trim().split('\n').length < 5;
}
