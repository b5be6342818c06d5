// Bundles benchmarks/ beside a copy of the built package, so that the shipped worker is what is measured, and runs them.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';
import { ensureInstalled } from './ensure-installed.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Entries of the bundle: the driver, and what it starts as processes and threads of their own. */
const ENTRIES = {
  run: 'benchmarks/run.ts',
  child: 'benchmarks/child.ts',
  'hand-worker': 'benchmarks/hand-worker.ts',
  'timed-worker': 'benchmarks/timed-worker.ts',
};

await ensureInstalled();
await build({ ifStale: true });
const folder = path.join(ROOT, '.passk', `bench-${process.pid}`);
try {
  mkdirSync(folder, { recursive: true });
  // What is kept of compiled code is made by the starts that are timed, not by whatever was run here before.
  const filter = (file) => path.basename(file) !== 'compiled';
  cpSync(path.join(ROOT, 'dist', 'bin'), folder, { recursive: true, filter });
  await bundle();
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }\n');
  cpSync(path.join(ROOT, 'benchmarks', 'native'), path.join(folder, 'native'), { recursive: true });
  const args = [path.join(folder, 'run.js'), ...process.argv.slice(2)];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function bundle() {
  const { build: esbuild } = await import('esbuild');
  await esbuild({
    absWorkingDir: ROOT,
    entryPoints: ENTRIES,
    outdir: folder,
    chunkNames: 'bench-[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    // As in the package: it writes constants into the code, which is worth several percent of a trial.
    minifySyntax: true,
    external: ['piscina', 'mitata', 'undici'],
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
}
