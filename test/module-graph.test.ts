import { readFileSync } from 'node:fs';
import type { Metafile } from 'esbuild';
import { expect, test } from 'vitest';

/** What the build says each entry consists of. */
const graphs = JSON.parse(readFileSync(new URL('../dist/graphs.json', import.meta.url), 'utf8')) as Readonly<
  Record<'library' | 'app' | 'packages', Metafile>
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
    '@modelcontextprotocol/client',
    '@modelcontextprotocol/server',
    'bullmq',
  ];
  const loaded = packagesAtStart(graphs.library, 'src/index.ts');
  expect(loaded.filter((name) => heavy.includes(name))).toEqual([]);
});

test.each(['index', 'plugin', 'stats', 'vitest'])(
  '%s is read in few files, which hold what it needs from the start and nothing else',
  (name) => {
    const source = name === 'index' ? 'src/index.ts' : `src/${name}/index.ts`;
    const files = new Set([`${name}.js`]);
    for (const file of files) {
      for (const { path } of graphs.library.outputs[file]?.imports ?? [])
        if (path in graphs.library.outputs) files.add(path);
    }
    expect(files.size).toBeLessThanOrEqual(8);
    const modules = [...files].flatMap((file) => Object.keys(graphs.library.outputs[file]?.inputs ?? {}));
    const loaded = loadedAtStart(graphs.library, source);
    expect(modules).toContain(source);
    expect(modules.filter((one) => !loaded.has(one) && !one.includes('rolldown'))).toEqual([]);
  },
);

test('a worker loads no file parser, schema compiler, pattern library or search for facts until it needs one', () => {
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
  expect([...loadedAtStart(graphs.app, 'workers/trial-worker.ts')]).not.toContain('src/faithfulness/check-support.ts');
});

test('a run loads what asks agents and models, looks for facts, keeps journals and baselines, and runs workers once it needs them, and no other subject', () => {
  const parts = [
    'src/host/agent-functions.ts',
    'src/host/cassette-run.ts',
    'src/host/live-run.ts',
    'src/suites/contract/contract-schema.ts',
    'src/suites/plugin/load-plugin-document.ts',
    'src/faithfulness/check-support.ts',
    'src/baseline/compare-runs.ts',
    'src/baseline/read-baseline.ts',
    'src/suite/history/open-history.ts',
    'src/suite/run-shard.ts',
    'src/records/journal.ts',
    'src/pool/workers-executor.ts',
    'src/queue/queue-executor.ts',
    'src/queue/serve-queue.ts',
  ];
  expect(parts.filter((file) => graphs.app.inputs[file] === undefined)).toEqual([]);
  const loaded = loadedAtStart(graphs.app, 'src/public/suites.ts');
  expect(parts.filter((file) => loaded.has(file))).toEqual([]);
  const rooms = new Set([...loaded].map((file) => file.split('/')[1]));
  expect(['audit', 'canary', 'golden', 'release'].filter((room) => rooms.has(room))).toEqual([]);
});

test('the licences of everything that is bundled travel with the bundles', () => {
  const licences = readFileSync(new URL('../dist/bin/LICENSES.txt', import.meta.url), 'utf8');
  const packages = Object.values(graphs).flatMap(({ outputs }) =>
    Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs).flatMap(packageOf)),
  );
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
  const output = Object.entries(graphs.packages.outputs).find(([file]) => file.endsWith(`/${name}.mjs`))?.[1];
  expect(output?.exports).toEqual(expect.arrayContaining(words));
});

/** Packages among the modules that `source` imports statically, and theirs. */
function packagesAtStart(graph: Metafile, source: string): readonly string[] {
  const loaded = [...loadedAtStart(graph, source)].filter((name) => !name.startsWith('node:'));
  const external = loaded.filter((name) => graph.inputs[name] === undefined);
  return [...new Set([...loaded.flatMap(packageOf), ...external])].sort();
}

/** The modules that `source` imports statically, itself included, and theirs; of others their names. */
function loadedAtStart({ inputs }: Metafile, source: string): ReadonlySet<string> {
  const seen = new Set([source]);
  for (const file of seen) {
    for (const { path, kind } of inputs[file]?.imports ?? []) {
      if (kind === 'import-statement' || kind === 'require-call') seen.add(path);
    }
  }
  expect(seen.size).toBeGreaterThan(1);
  return seen;
}

function packageOf(input: string): readonly string[] {
  const name = /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];
  return name === undefined ? [] : [name];
}

function isEmptyLicence(section: string): boolean {
  return section.trim().split('\n').length < 5;
}
