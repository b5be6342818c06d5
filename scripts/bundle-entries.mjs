// Bundles of every entry that is loaded as a whole, in dist/bin. Module count is start-up time: they come in few files,
// and what is imported with `import()` is a file of its own, loaded when it is needed.
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { asScript } from './app-chunks.mjs';
import { coldModules } from './cold-modules.mjs';
import { joinChunks } from './join-chunks.mjs';

/** The library, for whoever imports it. */
const LIBRARY = { index: 'src/index.ts', plugin: 'src/plugin/index.ts', vitest: 'src/vitest/index.ts' };

/** The command and its workers share what both need. The command loads the library only when it knows what is asked. */
const APP = { passk: 'src/cli/main.ts', worker: 'workers/trial-worker.ts', process: 'workers/trial-process.ts' };

/** Files as they stand when they are loaded: patterns, for which nobody can wait, and a thread of its own. */
const SCRIPTS = { re2js: 're2js', 'file-reader': 'workers/file-reader.ts' };

/** What Node, Piscina and a forked process are pointed at: each with what loads the app in it, as one file less to find. */
const STARTERS = {
  passk: ({ passk }) => `
    import { keepCompiled, loadChunk } from './workers/load-chunk.ts';
    process.once('exit', keepCompiled);
    loadChunk('${passk}');`,
  'load-trial-worker': ({ worker }) => `
    import { loadChunk } from './workers/load-chunk.ts';
    const { default: work, inspect } = loadChunk('${worker}');
    export { work as default, inspect };`,
  'load-trial-process': ({ process }) => `
    import { loadChunk } from './workers/load-chunk.ts';
    loadChunk('${process}');`,
};

/** Makes dist/bin in `outDir`. `tolerant`: what cannot be bundled is then missing instead of an error. */
export async function bundleEntries(root, outDir, tolerant) {
  const folder = path.join(outDir, 'bin');
  mkdirSync(folder, { recursive: true });
  const logLevel = tolerant ? 'silent' : 'warning';
  const bundles = { library: bundleLibrary, app: bundleApp, scripts: bundleScripts };
  const results = await Promise.allSettled(Object.values(bundles).map((bundle) => bundle(root, folder, logLevel)));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) {
    if (!tolerant) throw failed.reason;
    process.stderr.write(`passk: ${String(failed.reason.message).split('\n')[1] ?? 'an entry could not be bundled'}\n`);
    return;
  }
  const outputs = results.map((result) => result.value);
  // What each entry loads, for the test that keeps start-up small.
  const graphs = Object.fromEntries(Object.keys(bundles).map((name, index) => [name, outputs[index]]));
  writeFileSync(path.join(outDir, 'graphs.json'), JSON.stringify(graphs));
  writeFileSync(path.join(folder, 'LICENSES.txt'), licensesOf(root, outputs));
}

async function bundleLibrary(root, outdir, logLevel) {
  const { build } = await import('esbuild');
  const { metafile } = await build({
    ...moduleOptions(root, 'passk'),
    entryPoints: LIBRARY,
    outdir,
    logLevel,
    // Bundled CommonJS packages reach for Node's modules through `require`.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);",
    },
  });
  return metafile.outputs;
}

/** Names hold a digest of the contents: by them is known what was compiled before. */
async function bundleApp(root, outdir, logLevel) {
  const { build } = await import('esbuild');
  const { metafile, outputFiles } = await build({
    ...moduleOptions(root, 'app'),
    entryPoints: APP,
    entryNames: 'app-[name]-[hash]',
    outdir,
    logLevel,
    write: false,
    plugins: [coldModules(root), ...PLUGINS, nothingButArguments, namesOfCommands],
  });
  const texts = new Map(outputFiles.map(({ path: file, text }) => [path.basename(file), text]));
  const files = filesOf(metafile.outputs);
  const idOf = (chunk) => `./${files.get(chunk)}/${chunk}`;
  const entries = Object.entries(APP).map(([name, source]) => [name, idOf(chunkOf(metafile.outputs, source))]);
  const options = {
    entries: Object.values(APP).map((source) => chunkOf(metafile.outputs, source)),
    build: { absWorkingDir: root, platform: 'node', target: TARGET, logLevel, ...SMALL },
  };
  const written = [...new Set(files.values())].map(async (file) => {
    const names = [...texts.keys()].filter((name) => files.get(name) === file);
    writeFileSync(path.join(outdir, file), await asScript(file, await joinChunks(names, texts, options), idOf));
  });
  await Promise.all(written);
  await bundleStarters(root, outdir, Object.fromEntries(entries));
  writeFileSync(path.join(outdir, RESOLVER), readFileSync(path.join(root, 'workers', RESOLVER)));
  return metafile.outputs;
}

async function bundleStarters(root, outdir, chunks) {
  const { build } = await import('esbuild');
  for (const [name, textOf] of Object.entries(STARTERS)) {
    const outfile = path.join(outdir, `${name}.cjs`);
    const stdin = { contents: textOf(chunks), resolveDir: root, sourcefile: `${name}.ts`, loader: 'ts' };
    await build({
      ...scriptOptions(root),
      stdin,
      outfile,
      banner: { js: name === 'passk' ? '#!/usr/bin/env node' : '' },
    });
  }
  chmodSync(path.join(outdir, 'passk.cjs'), 0o755);
}

/** What a run starts with: the command, then the library; and its workers. Each is told by what it loads before it runs. */
const STARTS = { command: APP.passk, library: LIBRARY.index, worker: APP.worker };

/** The file of every chunk. Those that the same starts load are one file: to open a file takes longer than to read it. */
function filesOf(outputs) {
  const loaded = Object.entries(STARTS).map(([start, source]) => [start, loadedBy(outputs, chunkOf(outputs, source))]);
  const names = Object.keys(outputs).map((output) => path.basename(output));
  // The names of chunks hold digests of their contents; and files name each other, so that one change changes all names.
  const digest = createHash('sha256').update(names.sort().join()).digest('hex').slice(0, 8);
  return new Map(
    names.map((name) => {
      const group = loaded.flatMap(([start, all]) => (all.has(name) ? [start] : [])).join('-');
      return [name, `${group === '' ? path.basename(name, '.js') : `app-${group}`}-${digest}.cjs`];
    }),
  );
}

/** A chunk, and all that it imports statically. */
function loadedBy(outputs, chunk) {
  const found = new Set([chunk]);
  for (const name of found) {
    const [, { imports }] = Object.entries(outputs).find(([output]) => path.basename(output) === name);
    for (const { path: imported, kind, external } of imports) {
      if (kind === 'import-statement' && external !== true) found.add(path.basename(imported));
    }
  }
  return found;
}

function chunkOf(outputs, source) {
  const [output] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === source) ?? [];
  if (output === undefined) throw new Error(`nothing in the bundle starts with ${source}`);
  return path.basename(output);
}

/** A module as it stands; it says itself why. */
const RESOLVER = 'resolve-module.mjs';

async function bundleScripts(root, outdir, logLevel) {
  const { build } = await import('esbuild');
  const outExtension = { '.js': '.cjs' };
  const { metafile } = await build({ ...scriptOptions(root), entryPoints: SCRIPTS, outdir, outExtension, logLevel });
  return metafile.outputs;
}

function scriptOptions(root) {
  return {
    absWorkingDir: root,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: TARGET,
    external: [`./${RESOLVER}`],
    ...SMALL,
  };
}

const TARGET = 'node20.19';

/** Start-up is mostly reading source text. Names stay, for stack traces. */
const SMALL = { legalComments: 'none', minifyWhitespace: true, minifySyntax: true, metafile: true };

function moduleOptions(root, name) {
  return {
    absWorkingDir: root,
    // Chunks stay beside the entries: files are found relative to whichever of them asks.
    chunkNames: `${name}-[name]-[hash]`,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: TARGET,
    // Piscina finds its own worker file relative to itself; the others are peers.
    external: ['piscina', 'vitest', '@modelcontextprotocol/sdk', 'bullmq', 'ioredis'],
    plugins: PLUGINS,
    ...SMALL,
  };
}

/** re2js is loaded by the first pattern: most runs and most workers have none, and it is much of what they would read. */
const patternsOnDemand = {
  name: 'patterns-on-demand',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^re2js$/ }, () => ({ path: 're2js', namespace: 'on-demand' }));
    onResolve({ filter: /^\.\/re2js\.cjs$/, namespace: 'on-demand' }, ({ path }) => ({ path, external: true }));
    onLoad({ filter: /.*/, namespace: 'on-demand' }, () => ({
      contents: `
        let loaded;
        export const RE2JS = new Proxy(class {}, {
          get: (_, name) => Reflect.get((loaded ??= require('./re2js.cjs')).RE2JS, name),
        });`,
    }));
  },
};

/** `import()` of these gives their names, as in Node: by itself esbuild gives a CommonJS package only as `default`. */
const namesOfPackages = {
  name: 'names-of-packages',
  setup({ onResolve, onLoad, initialOptions }) {
    onResolve({ filter: /^(?:undici|yaml)$/ }, ({ kind, path: name }) =>
      kind === 'dynamic-import' ? { path: name, namespace: 'named' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'named' }, async ({ path: name }) => {
      const names = Object.keys(await import(name)).filter((word) => /^[A-Za-z]\w*$/.test(word) && word !== 'default');
      return {
        contents: `export { ${names.join(', ')} } from '${name}';`,
        resolveDir: initialOptions.absWorkingDir,
      };
    });
  },
};

/** The version is known when the bundle is made: no start has to look for package.json. */
const knownVersion = {
  name: 'known-version',
  setup({ onLoad, initialOptions }) {
    onLoad({ filter: /[\\/]src[\\/]version\.ts$/ }, () => {
      const text = readFileSync(path.join(initialOptions.absWorkingDir, 'package.json'), 'utf8');
      return { contents: `export const VERSION = ${JSON.stringify(JSON.parse(text).version)};` };
    });
  },
};

const PLUGINS = [namesOfPackages, patternsOnDemand, knownVersion];

/** Commander can start other programs as commands, for which it loads half of Node's network; passk has no such commands. */
const nothingButArguments = {
  name: 'nothing-but-arguments',
  setup({ onLoad }) {
    onLoad({ filter: /node_modules[\\/]commander[\\/]lib[\\/]command\.js$/ }, ({ path: file }) => {
      const text = readFileSync(file, 'utf8');
      const contents = text.replace("= require('node:child_process');", '= {};');
      if (contents === text) throw new Error(`${file} no longer loads node:child_process as it did`);
      return { contents, loader: 'js' };
    });
  },
};

/** Of the library the command loads what one of its files names: the rest would only be read and laid out. */
const namesOfCommands = {
  name: 'names-of-commands',
  setup({ onLoad, initialOptions }) {
    onLoad({ filter: /[\\/]src[\\/]index\.ts$/ }, ({ path: file }) => {
      const folder = path.join(initialOptions.absWorkingDir, 'src', 'cli');
      const words = new Set(
        readdirSync(folder, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .flatMap((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'utf8').match(/\w+/g) ?? []),
      );
      const isNamed = (name) =>
        words.has(
          name
            .trim()
            .split(/\s+as\s+/)
            .at(-1),
        );
      const contents = readFileSync(file, 'utf8').replace(/^export \{([^}]*)\} from ([^;]*);/gm, (_, names, from) => {
        const named = names.split(',').filter(isNamed);
        return named.length === 0 ? '' : `export {${named.join(',')}} from ${from};`;
      });
      return { contents, loader: 'ts' };
    });
  },
};

/** The licences of the packages whose code is in the bundles: they ask to be passed on. */
function licensesOf(root, outputs) {
  const inputs = outputs.flatMap((output) => Object.values(output).flatMap((file) => Object.keys(file.inputs)));
  const folders = inputs.flatMap((input) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? []);
  return [...new Set(folders)]
    .sort()
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8'));
      const file = readdirSync(path.join(root, folder)).find((entry) => /^licen[cs]e/i.test(entry));
      const text = file === undefined ? '' : readFileSync(path.join(root, folder, file), 'utf8').trim();
      return `${name} ${version} (${license})\n\n${text}\n`;
    })
    .join(`\n${'-'.repeat(80)}\n\n`);
}
