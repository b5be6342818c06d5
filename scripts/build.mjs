// Builds dist/: modules and declarations (tsc), bundles of every entry that is loaded as a whole (esbuild), JSON Schemas,
// the page of the HTML report (build-web.mjs).
// `--if-stale` does nothing when the stamp in dist/ matches the sources; `--strict` lets a type error fail the build.
// The tests build with `tolerant`: an entry that cannot be bundled is then missing from dist/, never stale.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildWeb } from './build-web.mjs';
import { withLock } from './ensure-installed.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = path.join(ROOT, 'dist');
const STAMP = path.join(DIST, 'stamp.txt');
const SOURCES = [
  'src',
  'workers',
  'web',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'scripts',
];

/** Leaves a whole dist/ made from the present sources; a reader never sees half of one. */
export async function build({ ifStale = false, strict = false, tolerant = false } = {}) {
  if (ifStale && !isStale()) return;
  await withLock(path.join(ROOT, '.passk', 'lock-build'), async () => {
    if (ifStale && !isStale()) return;
    const started = performance.now();
    const stamp = hashSources();
    const next = path.join(ROOT, `.build-${process.pid}`);
    try {
      rmSync(next, { recursive: true, force: true });
      await Promise.all([emitModules(next, strict), bundleEntries(next, tolerant), buildWeb(next, DIST)]);
      await writeSchemas(next, tolerant);
      writeFileSync(path.join(next, 'stamp.txt'), stamp);
      swap(next);
    } finally {
      rmSync(next, { recursive: true, force: true });
    }
    process.stderr.write(`passk: built dist/ in ${Math.round(performance.now() - started)} ms\n`);
  });
}

function isStale() {
  return !existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== hashSources();
}

/** One digest over the names and bytes of everything a build reads. */
export function hashSources() {
  const hash = createHash('sha256');
  for (const source of SOURCES) {
    for (const file of listFiles(source))
      hash
        .update(`${file}\0`)
        .update(readFileSync(path.join(ROOT, file)))
        .update('\0');
  }
  return hash.digest('hex');
}

function listFiles(source) {
  const full = path.join(ROOT, source);
  if (!existsSync(full)) return [];
  if (/\.\w+$/.test(source)) return [source];
  return readdirSync(full, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(ROOT, path.join(entry.parentPath ?? entry.path, entry.name)))
    .sort();
}

async function emitModules(outDir, strict) {
  const tsc = path.join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const { code, text } = await run(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', outDir]);
  if (code === 0) return;
  if (strict) throw new Error(`The sources do not type-check.\n${text}`);
  const count = text.split('\n').filter((line) => line.includes(': error TS')).length;
  process.stderr.write(`passk: built in spite of ${count} type errors; \`npm run types\` shows them\n`);
}

/** Module count is start-up time: what is loaded as a whole comes in few files. Entries of a bundle share chunks. */
const BUNDLES = {
  // The command loads the library only when it knows what is asked.
  passk: {
    passk: 'src/cli/main.ts',
    index: 'src/index.ts',
    plugin: 'src/plugin/index.ts',
    vitest: 'src/vitest/index.ts',
  },
  worker: { worker: 'workers/trial-worker.ts', 'worker-process': 'workers/trial-process.ts' },
  // Patterns are compiled in the middle of things, where nobody can wait for an import.
  patterns: { re2js: 're2js' },
};

/** CommonJS as it stands; it says itself why. */
const WORKER_LOADER = 'load-trial-worker.cjs';

async function bundleEntries(outDir, tolerant) {
  const { build: bundle } = await import('esbuild');
  mkdirSync(outDir, { recursive: true });
  const names = Object.keys(BUNDLES);
  const logLevel = tolerant ? 'silent' : 'warning';
  const results = await Promise.allSettled(
    names.map((name) => bundle({ ...bundleOptions(name, path.join(outDir, 'bin')), logLevel })),
  );
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) {
    if (!tolerant) throw failed.reason;
    process.stderr.write(`passk: ${String(failed.reason.message).split('\n')[1] ?? 'an entry could not be bundled'}\n`);
  }
  // What each entry loads, for the test that keeps start-up small.
  const outputs = results.map((result) => result.value?.metafile.outputs ?? {});
  const graphs = Object.fromEntries(names.map((name, index) => [name, outputs[index]]));
  writeFileSync(path.join(outDir, 'graphs.json'), JSON.stringify(graphs));
  copyFileSync(path.join(ROOT, 'workers', WORKER_LOADER), path.join(outDir, 'bin', WORKER_LOADER));
  const bin = path.join(outDir, 'bin', 'passk.js');
  if (!existsSync(bin)) return;
  chmodSync(bin, 0o755);
  writeFileSync(path.join(outDir, 'bin', 'LICENSES.txt'), licensesOf(outputs));
}

/** How a bundle is made; parts imported with `import()` become chunks of their own, loaded when needed. */
function bundleOptions(name, outdir) {
  if (name === 'patterns') return commonJsOptions(BUNDLES[name], outdir);
  return {
    absWorkingDir: ROOT,
    entryPoints: BUNDLES[name],
    outdir,
    // Chunks stay beside the entries: `new URL('./worker.js', import.meta.url)` must hold in each of them.
    chunkNames: `${name}-[name]-[hash]`,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    // Piscina finds its own worker file relative to itself; the others are peers.
    external: ['piscina', 'vitest', '@modelcontextprotocol/sdk', 'bullmq', 'ioredis'],
    // Bundled CommonJS packages reach for Node's modules through `require`.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);",
    },
    plugins: [namesOfPackages, patternsOnDemand],
    ...SMALL,
  };
}

/** Start-up is mostly reading source text. Names stay, for stack traces. */
const SMALL = { legalComments: 'none', minifyWhitespace: true, minifySyntax: true, metafile: true };

/** A package as one file that `require` loads at once. */
function commonJsOptions(entryPoints, outdir) {
  return {
    absWorkingDir: ROOT,
    entryPoints,
    outdir,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
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
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(?:undici|yaml)$/ }, ({ kind, path: name }) =>
      kind === 'dynamic-import' ? { path: name, namespace: 'named' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'named' }, async ({ path: name }) => {
      const names = Object.keys(await import(name)).filter((word) => /^[A-Za-z]\w*$/.test(word) && word !== 'default');
      return { contents: `export { ${names.join(', ')} } from '${name}';`, resolveDir: ROOT };
    });
  },
};

/** The licences of the packages whose code is in the bundles: they ask to be passed on. */
function licensesOf(outputs) {
  const inputs = outputs.flatMap((output) => Object.values(output).flatMap((file) => Object.keys(file.inputs)));
  const folders = inputs.flatMap((input) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? []);
  return [...new Set(folders)]
    .sort()
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(path.join(ROOT, folder, 'package.json'), 'utf8'));
      const file = readdirSync(path.join(ROOT, folder)).find((entry) => /^licen[cs]e/i.test(entry));
      const text = file === undefined ? '' : readFileSync(path.join(ROOT, folder, file), 'utf8').trim();
      return `${name} ${version} (${license})\n\n${text}\n`;
    })
    .join(`\n${'-'.repeat(80)}\n\n`);
}

async function writeSchemas(outDir, tolerant) {
  const entry = path.join(outDir, 'bin', 'index.js');
  if (!existsSync(entry)) return;
  // In a process of its own: under Vitest an import from here would go through its own loader.
  const code = `
    import { mkdirSync, writeFileSync } from 'node:fs';
    const { scenarioJsonSchema, workflowJsonSchema } = await import(${JSON.stringify(pathToFileURL(entry).href)});
    const folder = ${JSON.stringify(path.join(outDir, 'schema'))};
    mkdirSync(folder, { recursive: true });
    for (const [name, schema] of Object.entries({ scenario: scenarioJsonSchema, workflow: workflowJsonSchema })) {
      writeFileSync(folder + '/' + name + '.json', JSON.stringify(await schema(), null, 2) + '\\n');
    }`;
  const { code: status } = await run(process.execPath, ['--input-type=module', '--eval', code], tolerant);
  if (status === 0) return;
  if (!tolerant) throw new Error('The JSON Schemas could not be written; see the messages above.');
  process.stderr.write('passk: no JSON Schemas were written\n');
}

function swap(next) {
  const old = path.join(ROOT, `.build-${process.pid}-old`);
  rmSync(old, { recursive: true, force: true });
  if (existsSync(DIST)) renameSync(DIST, old);
  renameSync(next, DIST);
  rmSync(old, { recursive: true, force: true });
}

function run(command, args, quiet = false) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: ROOT, stdio: ['ignore', 'pipe', quiet ? 'ignore' : 2] });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, text }));
  });
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const options = { ifStale: process.argv.includes('--if-stale'), strict: process.argv.includes('--strict') };
  await build(options).catch((error) => {
    process.stderr.write(`passk: the build failed: ${error.message}\n`);
    process.exitCode = 2;
  });
}
