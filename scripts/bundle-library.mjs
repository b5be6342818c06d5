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
 * name of their file; `external`: those that are installed with it; `text`: how its text is written, as options of esbuild.
 */
export async function bundleLibrary({ root, outdir, version, onDemand, external, text, isQuiet }) {
  const graph = { inputs: {}, outputs: {} };
  const named = (id) => (path.isAbsolute(id) ? path.relative(root, id) : id);
  const bundle = await rolldown({
    cwd: root,
    input: ENTRIES,
    platform: 'node',
    external: [/^node:/, ...external],
    transform: { target: text.target },
    logLevel: isQuiet ? 'silent' : 'warn',
    // Files of one chunk may load each other late all the same: the command's scripts are made of them, too.
    checks: { ineffectiveDynamicImport: false },
    plugins: [
      {
        name: 'passk',
        resolveId(source) {
          const [file] = Object.entries(onDemand).find(([, name]) => name === source) ?? [];
          return file === undefined ? null : { id: `./${file}.mjs`, external: true };
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
    codeSplitting: { groups: groupsBy(startsOf(graph, root)) },
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

/** A function that names the entries that load a module from the start; '': none does. It is called once the graph is there. */
function startsOf({ inputs }, root) {
  let starts = null;
  const find = () => {
    const found = {};
    for (const [name, file] of Object.entries(ENTRIES)) {
      const loaded = new Set([file]);
      for (const one of loaded) {
        for (const { path: next, kind } of inputs[one]?.imports ?? [])
          if (kind === 'import-statement') loaded.add(next);
      }
      for (const one of loaded) found[one] = found[one] === undefined ? name : `${found[one]}-${name}`;
    }
    return found;
  };
  return (id) => {
    starts ??= find();
    return starts[path.relative(root, id)] ?? '';
  };
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
