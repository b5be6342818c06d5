// Builds dist/: modules and declarations (tsc), bundles of every entry that is loaded as a whole
// (bundle-entries.mjs), JSON Schemas, the page of the HTML report (build-web.mjs).
// `--if-stale` does nothing when the stamp in dist/ matches the sources; `--strict` lets a type error fail the build.
// The tests build with `tolerant`: an entry that cannot be bundled is then missing from dist/, never stale.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildWeb } from './build-web.mjs';
import { bundleEntries } from './bundle-entries.mjs';
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
      await Promise.all([emitModules(next, strict), bundleEntries(ROOT, next, tolerant), buildWeb(next, DIST)]);
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

async function writeSchemas(outDir, tolerant) {
  const entry = path.join(outDir, 'bin', 'index.js');
  if (!existsSync(entry)) return;
  // In a process of its own: under Vitest an import from here would go through its own loader.
  const code = `
    import { mkdirSync, writeFileSync } from 'node:fs';
    const { contractJsonSchema, scenarioJsonSchema, sessionJsonSchema, workflowJsonSchema } = await import(${JSON.stringify(pathToFileURL(entry).href)});
    const folder = ${JSON.stringify(path.join(outDir, 'schema'))};
    mkdirSync(folder, { recursive: true });
    const schemas = {
      scenario: scenarioJsonSchema,
      contract: contractJsonSchema,
      session: sessionJsonSchema,
      workflow: workflowJsonSchema,
    };
    for (const [name, schema] of Object.entries(schemas)) {
      writeFileSync(folder + '/' + name + '.json', JSON.stringify(await schema(), null, 2) + '\\n');
    }`;
  cpSync(path.join(ROOT, 'src', 'report', 'schemas'), path.join(outDir, 'schema'), { recursive: true });
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
