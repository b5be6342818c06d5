// The library for whoever imports it, in dist/bin: ES modules. What an entry needs from the start is one module, and what it
// shares with others one more for each set of them: a module costs its reader more than its text. The rest waits for `import()`.
import path from 'node:path';
import { transform } from 'esbuild';
import { rolldown } from 'rolldown';
import { asAscii } from './as-ascii.mjs';

const ENTRIES = {
  index: 'src/index.ts',
  plugin: 'src/plugin/index.ts',
  stats: 'src/stats/index.ts',
  vitest: 'src/vitest/index.ts',
};

/**
 * Resolves to what it consists of, in the shape of esbuild's metafile. `onDemand`: packages that stand beside the library by the
 * name of their file; `requireLate`: throws for those that are imported statically; `external`: packages that are installed with
 * it; `text`: how its text is written, as options of esbuild.
 */
export async function bundleLibrary({ root, outdir, version, onDemand, requireLate, external, text, isQuiet }) {
  const graph = { inputs: {}, outputs: {} };
  let starts = {};
  const named = (id) => (path.isAbsolute(id) ? path.relative(root, id) : id);
  const bundle = await rolldown({
    cwd: root,
    input: ENTRIES,
    platform: 'node',
    external: (id) => id.startsWith('node:') || external.some((name) => id === name || id.startsWith(`${name}/`)),
    transform: { target: text.target },
    logLevel: isQuiet ? 'silent' : 'warn',
    // `import()` of a module that the entry has anyway: in the command's scripts it makes that module late.
    checks: { ineffectiveDynamicImport: false },
    plugins: [
      {
        name: 'passk',
        resolveId(source, importer, { kind }) {
          const [file] = Object.entries(onDemand).find(([, name]) => name === source) ?? [];
          if (file === undefined) return null;
          requireLate(source, importer, kind);
          return { id: `./${file}.mjs`, external: true };
        },
        load: (id) => (named(id) === path.join('src', 'version.ts') ? `export const VERSION = '${version}';` : null),
        buildEnd() {
          for (const id of this.getModuleIds()) {
            const { importedIds, dynamicallyImportedIds } = this.getModuleInfo(id);
            graph.inputs[named(id)] = {
              imports: [
                ...importedIds.map((one) => ({ path: named(one), kind: 'import-statement' })),
                ...dynamicallyImportedIds.map((one) => ({ path: named(one), kind: 'dynamic-import' })),
              ],
            };
          }
          starts = startsOf(graph);
        },
        renderChunk: async (code) => ({
          code: asAscii((await transform(code, { ...text, format: 'esm' })).code),
          map: null,
        }),
      },
    ],
  });
  const { output } = await bundle.write({
    dir: outdir,
    format: 'esm',
    minify: false,
    entryFileNames: '[name].js',
    // Chunks stay beside the entries: files are found relative to whichever of them asks.
    chunkFileNames: 'passk-[name]-[hash].js',
    codeSplitting: { groups: groupsBy((id) => starts[named(id)]) },
  });
  await bundle.close();
  for (const { fileName, moduleIds, imports } of output) {
    graph.outputs[fileName] = {
      inputs: Object.fromEntries(moduleIds.map((id) => [named(id), {}])),
      imports: imports.map((file) => ({ path: file, kind: 'import-statement' })),
    };
  }
  return graph;
}

/** By module that an entry loads from the start: the entries that do, as one word. */
function startsOf({ inputs }) {
  const starts = {};
  for (const [name, file] of Object.entries(ENTRIES)) {
    const loaded = new Set([file]);
    for (const one of loaded) {
      const statically = (inputs[one]?.imports ?? []).filter(({ kind }) => kind === 'import-statement');
      for (const { path: next } of statically) loaded.add(next);
    }
    for (const one of loaded) starts[one] = starts[one] === undefined ? name : `${starts[one]}-${name}`;
  }
  return starts;
}

/** A chunk for each set of entries, larger sets first: what their modules import is needed by the same entries or more. */
function groupsBy(startsOfModule) {
  const sets = [[]];
  for (const name of Object.keys(ENTRIES)) for (const set of [...sets]) sets.push([...set, name]);
  return sets.slice(1).map((set) => ({
    name: set.join('-'),
    test: (id) => startsOfModule(id) === set.join('-'),
    priority: set.length,
  }));
}
