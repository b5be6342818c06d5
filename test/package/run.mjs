// Packs once and checks what stands in the tarball (publint, attw). Then installs it the way a user would and uses it from the
// outside: import, types, the command, the plug-in entry.
// Skips, saying so, when the registry cannot be reached; CI=true turns that into a failure.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { checkRuntimes } from './runtimes.mjs';
import { checkWalks } from './walks.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const EMBEDDER = fileURLToPath(new URL('./embedder', import.meta.url));
const home = mkdtempSync(path.join(os.tmpdir(), 'passk-package-'));

try {
  const failures = await checkPackage();
  for (const failure of failures) process.stderr.write(`FAIL  ${failure}\n`);
  process.stdout.write(failures.length === 0 ? 'The packed package works.\n' : 'The packed package does not work.\n');
  process.exitCode = failures.length === 0 ? 0 : 1;
} finally {
  rmSync(home, { recursive: true, force: true });
}

async function checkPackage() {
  const packed = npm(['pack', '--json', '--pack-destination', home], ROOT);
  if (packed.status !== 0) return [`npm pack: ${packed.stderr}`];
  const [{ filename, files, size }] = JSON.parse(packed.stdout.slice(packed.stdout.indexOf('[')));
  process.stdout.write(`packed ${filename}: ${files.length} files, ${Math.round(size / 1024)} KiB\n`);

  const tarball = path.join(home, filename);
  const checked = ['package-metadata', 'package-types'].flatMap((script) => {
    const { status, stdout, stderr } = npm(['run', '--silent', script, '--', tarball], ROOT);
    return status === 0 ? [] : [`npm run ${script}: ${stdout}${stderr}`];
  });

  cpSync(EMBEDDER, home, { recursive: true });
  const install = npm(
    ['install', '--prefer-offline', '--no-audit', '--no-fund', '--no-save', '--ignore-scripts', tarball],
    home,
  );
  if (install.status !== 0) {
    if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH/.test(install.stderr) && process.env.CI !== 'true') {
      process.stdout.write('skipped: the registry cannot be reached\n');
      return [];
    }
    return [`npm install of the tarball: ${install.stderr}`];
  }
  // Type-checking needs no copies of the compiler and Node's types; the embedder uses ours.
  for (const name of ['typescript', '@types']) {
    symlinkSync(path.join(ROOT, 'node_modules', name), path.join(home, 'node_modules', name), 'junction');
  }

  const passk = path.join(home, 'node_modules', '.bin', 'passk');
  const forbidden = files
    .map(({ path: file }) => file)
    .filter((file) => /^(test|scripts|src|workers)\/|\.map$/.test(file));
  return [
    ...checked,
    ...forbidden.map((file) => `the tarball ships ${file}`),
    ...['nodenext', 'node16'].flatMap((module) =>
      expectRun(
        `types under strict and ${module}`,
        [process.execPath, 'node_modules/typescript/bin/tsc', '-p', '.', '--module', module],
        0,
      ),
    ),
    ...expectRun('embedding runSuite()', [process.execPath, 'harness.mjs'], 0),
    ...expectRun('passk run', [passk, 'scenarios', '--trials', '20000', '--workers', '2'], 0),
    ...expectRun('passk validate', [passk, 'validate', 'scenarios'], 0),
    ...expectRun('passk schema', [passk, 'schema'], 0),
    ...expectRun('passk run of a missing file', [passk, 'run', 'nowhere.toml'], 2),
    ...checkRuntimes(home),
    ...(await checkWalks(tarball)),
  ];
}

function expectRun(what, [command, ...args], status) {
  const done = spawnSync(command, args, { cwd: home, encoding: 'utf8', timeout: 120_000 });
  if (done.status === status) {
    process.stdout.write(`ok    ${what}\n`);
    return [];
  }
  return [`${what}: exit ${done.status ?? done.signal}, expected ${status}\n${done.stdout}${done.stderr}`];
}

function npm(args, cwd) {
  const cli = process.env.npm_execpath;
  const [command, prefix] = cli?.endsWith('npm-cli.js') ? [process.execPath, [cli]] : ['npm', []];
  try {
    const stdout = execFileSync(command, [...prefix, ...args], { cwd, encoding: 'utf8', stdio: 'pipe' });
    return { status: 0, stdout, stderr: '' };
  } catch (error) {
    return { status: error.status ?? 1, stdout: error.stdout ?? '', stderr: error.stderr ?? error.message };
  }
}
