// Bundles of every entry that is loaded as a whole, in dist/bin. Module count is start-up time: they come in few files.
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { init, parse } from 'es-module-lexer';
import { asAscii } from './as-ascii.mjs';

/** The command and its workers, each one script: V8 can cache what it has compiled of scripts, not of modules. */
const APP = { command: 'src/cli/main.ts', thread: 'workers/trial-worker.ts', process: 'workers/trial-process.ts' };

/** Packages that only some runs need: each a module of its own, which `import()` loads. */
const ON_DEMAND = {
  chokidar: 'chokidar',
  'libphonenumber-js': 'libphonenumber-js/max',
  'log-update': 'log-update',
  tinyglobby: 'tinyglobby',
  undici: 'undici',
  ws: 'ws',
  yaml: 'yaml',
};

/** What Node, Piscina and a forked process are pointed at: what loads a script of the app. */
const STARTERS = {
  passk: (load) => `
    import { loadScript } from './workers/load-script.ts';
    const [verb = ''] = process.argv.slice(2);
    const { cache } = ${load('command', "/^[a-z]+$/.test(verb) ? verb : 'run'")};
    // The first word of what is refused may be anything: no cache for each.
    process.once('exit', (code) => code !== 2 && cache());`,
  'load-trial-worker': (load) => `
    import { loadScript } from './workers/load-script.ts';
    const { exports, cache } = ${load('thread', "'work'")};
    const { default: work, inspect, generate, endServers } = exports;
    export { work as default, inspect, generate, endServers };
    cache();`,
  'load-trial-process': (load) => `
    import { loadScript } from './workers/load-script.ts';
    const { cache } = ${load('process', "'work'")};
    cache();`,
};

/** Makes dist/bin in `outDir`. `tolerant`: what cannot be bundled is then missing instead of an error. */
export async function bundleEntries(root, outDir, tolerant) {
  const folder = path.join(outDir, 'bin');
  mkdirSync(folder, { recursive: true });
  const logLevel = tolerant ? 'silent' : 'warning';
  const bundles = { library: bundleLibrary, app: bundleApp, packages: bundlePackages };
  const results = await Promise.allSettled(Object.values(bundles).map((bundle) => bundle(root, folder, logLevel)));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) {
    if (!tolerant) throw failed.reason;
    process.stderr.write(`passk: ${String(failed.reason.message).split('\n')[1] ?? 'an entry could not be bundled'}\n`);
    return;
  }
  const graphs = results.map((result) => result.value);
  // What each entry loads, for the test that keeps start-up small.
  const byName = Object.fromEntries(Object.keys(bundles).map((name, index) => [name, graphs[index]]));
  writeFileSync(path.join(outDir, 'graphs.json'), JSON.stringify(byName));
  writeFileSync(path.join(folder, 'LICENSES.txt'), licensesOf(root, graphs));
}

async function bundleLibrary(root, outdir, logLevel) {
  const { bundleLibrary: bundle } = await import('./bundle-library.mjs');
  const isQuiet = logLevel === 'silent';
  return bundle({
    root,
    outdir,
    version: versionOf(root),
    onDemand: ON_DEMAND,
    requireLate,
    external: EXTERNAL,
    text: TEXT,
    isQuiet,
  });
}

async function bundleApp(root, outdir, logLevel) {
  const { build } = await import('esbuild');
  const { metafile, outputFiles } = await build({
    ...options(root),
    format: 'cjs',
    plugins: [packagesOnDemand, knownVersion],
    entryPoints: APP,
    outdir,
    outExtension: { '.js': '.cjs' },
    logLevel,
    write: false,
    define: { 'import.meta.url': '__url', 'import.meta.resolve': '__resolve' },
    // V8 compiles a function in brackets at once: it is called in any case.
    banner: { js: '(function(module,require,__import,__url,__resolve){var exports=module.exports;' },
    footer: { js: '})' },
  });
  await init;
  const digests = {};
  for (const { path: file, text } of outputFiles) {
    const script = asAscii(withoutCopies(withoutKeys(withoutImports(text))));
    digests[path.basename(file, '.cjs')] = createHash('sha256').update(script).digest('hex').slice(0, 16);
    writeFileSync(file, script);
  }
  await bundleStarters(root, outdir, digests);
  writeFileSync(path.join(outdir, RESOLVER), readFileSync(path.join(root, 'workers', RESOLVER)));
  return metafile;
}

/** `import()` fails in a script that comes from a cache: whoever loads it gives a function in its place. */
function withoutImports(text) {
  const words = parse(text)[0].filter(({ d }) => d >= 0);
  return words.reduceRight((code, { ss, d }) => `${code.slice(0, ss)}__import${code.slice(d)}`, text);
}

/** The bundler makes an object for each module, whose key is the module's path: V8 would make a shape for each of these. */
function withoutKeys(text) {
  return text.replace(/\b__(esm|commonJS)\(\{"[^"]+"\(/g, '__$1({load(');
}

/** Each module that imports a module of Node as a whole would get a copy of all its names; it asks for `default` alone. */
function withoutCopies(text) {
  return text.replace(/__toESM\(require\("(node:[^"]+)"\)(?:,1)?\)/g, '{default:require("$1")}');
}

async function bundleStarters(root, outdir, digests) {
  const { build } = await import('esbuild');
  const load = (script, use) => `loadScript('${script}.cjs', '${digests[script]}', ${use})`;
  for (const [name, textOf] of Object.entries(STARTERS)) {
    const stdin = { contents: textOf(load), resolveDir: root, sourcefile: `${name}.ts`, loader: 'ts' };
    await build({
      ...options(root),
      format: 'cjs',
      external: [`./${RESOLVER}`],
      stdin,
      outfile: path.join(outdir, `${name}.cjs`),
      banner: { js: name === 'passk' ? '#!/usr/bin/env node' : '' },
    });
  }
  chmodSync(path.join(outdir, 'passk.cjs'), 0o755);
}

/** A module as it stands; it says itself why. */
const RESOLVER = 'resolve-module.mjs';

async function bundlePackages(root, outdir, logLevel) {
  const { build } = await import('esbuild');
  const entryPoints = Object.fromEntries(Object.keys(ON_DEMAND).map((file) => [file, `named:${ON_DEMAND[file]}`]));
  const { metafile } = await build({
    ...options(root),
    format: 'esm',
    plugins: [namesOfPackages],
    entryPoints,
    outdir,
    outExtension: { '.js': '.mjs' },
    logLevel,
    banner: REQUIRE,
  });
  return metafile;
}

/** Bundled CommonJS packages reach for Node's modules through `require`. */
const REQUIRE = {
  js: "import { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);",
};

/** Piscina finds its own worker file relative to itself; the others are peers. */
const EXTERNAL = [
  'piscina',
  'vitest',
  '@modelcontextprotocol/client',
  '@modelcontextprotocol/server',
  'bullmq',
  'ioredis',
];

const TEXT = {
  target: 'node20.19',
  // Start-up is mostly reading source text. Names stay, for stack traces.
  legalComments: 'none',
  minifyWhitespace: true,
  minifySyntax: true,
  // Node shows the line of an error that nobody catches: it is to fit a screen.
  lineLimit: 160,
};

function options(root) {
  return {
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    ...TEXT,
    external: EXTERNAL,
    metafile: true,
  };
}

/** Throws for a package on demand that is imported in another way. */
function requireLate(name, importer, kind) {
  if (kind !== 'dynamic-import') throw new Error(`${importer} imports ${name}, which only \`import()\` may load`);
}

const packagesOnDemand = {
  name: 'packages-on-demand',
  setup({ onResolve }) {
    for (const [file, name] of Object.entries(ON_DEMAND)) {
      onResolve({ filter: new RegExp(`^${name}$`) }, ({ kind, importer }) => {
        requireLate(name, importer, kind);
        return { path: `./${file}.mjs`, external: true };
      });
    }
  },
};

/** `import()` of these gives their names, as in Node: by itself esbuild gives a CommonJS package only as `default`. */
const namesOfPackages = {
  name: 'names-of-packages',
  setup({ onResolve, onLoad, initialOptions }) {
    onResolve({ filter: /^named:/ }, ({ path: id }) => ({ path: id.slice('named:'.length), namespace: 'named' }));
    onLoad({ filter: /.*/, namespace: 'named' }, async ({ path: name }) => {
      const exported = Object.keys(await import(name));
      const names = exported.filter((word) => /^[A-Za-z]\w*$/.test(word));
      return { contents: `export { ${names.join(', ')} } from '${name}';`, resolveDir: initialOptions.absWorkingDir };
    });
  },
};

/** The version is known when the bundle is made: no start has to look for package.json. */
const knownVersion = {
  name: 'known-version',
  setup({ onLoad, initialOptions }) {
    onLoad({ filter: /[\\/]src[\\/]version\.ts$/ }, () => {
      return { contents: `export const VERSION = '${versionOf(initialOptions.absWorkingDir)}';` };
    });
  },
};

function versionOf(root) {
  return JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).version;
}

/** The licences of the packages whose code is in the bundles: they ask to be passed on. */
function licensesOf(root, graphs) {
  const inputs = graphs.flatMap(({ outputs }) => Object.values(outputs).flatMap((file) => Object.keys(file.inputs)));
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
