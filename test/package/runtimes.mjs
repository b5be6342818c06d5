// Other versions of Node, and other runtimes, run the installed package: same corpus, same bytes. They are npm packages
// that `.ci/run` puts in `.passk/runtimes`; without them nothing is checked, unless PASSK_REQUIRE names `runtimes`.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../.passk/runtimes/node_modules', import.meta.url));
const RUNTIMES = [
  { name: 'Node 22', command: ['node-22/bin/node'] },
  { name: 'Node 24', command: ['node-24/bin/node'] },
  { name: 'Node 26', command: ['node-26/bin/node'] },
  // Their `exp` and `log` may differ from Node's in the last digit, and quantiles with them.
  { name: 'Deno', command: ['deno/deno', 'run', '--allow-all'], digits: 13 },
  { name: 'Bun', command: ['bun/bin/bun'], digits: 13 },
];
const CORPUS = [
  'node_modules/passk/dist/bin/passk.cjs',
  'run',
  'node_modules/passk/corpus',
  '--json',
  '--workers',
  '2',
];

/** What is wrong where the package that is installed below `home` runs elsewhere, one text each. */
export function checkRuntimes(home) {
  if (!existsSync(FOLDER)) {
    if ((process.env.PASSK_REQUIRE ?? '').split(',').includes('runtimes')) return [`There is no ${FOLDER}.`];
    process.stdout.write('skipped: other versions of Node, Deno and Bun (.passk/runtimes)\n');
    return [];
  }
  const here = reportOf(home, [process.execPath]);
  const failures = here.problem === null ? [] : [`the corpus: ${here.problem}`];
  for (const {
    name,
    command: [file, ...flags],
    digits = null,
  } of RUNTIMES) {
    const command = [path.join(FOLDER, file), ...flags];
    const there = reportOf(home, command);
    const embedded = run(home, command, ['harness.mjs']);
    const typed = run(home, command, ['node_modules/passk/dist/bin/passk.cjs', 'words.scenario.mts', '--quiet']);
    const problems = [
      ...(there.problem === null ? [] : [`the corpus: ${there.problem}`]),
      ...(there.problem === null && roundedTo(digits, there.text) !== roundedTo(digits, here.text)
        ? ['the report of the corpus has other bytes']
        : []),
      ...(typed.problem === null ? [] : [`scenarios in TypeScript: ${typed.problem}`]),
      ...(embedded.problem === null ? [] : [`embedding runSuite(): ${embedded.problem}`]),
    ];
    if (problems.length === 0)
      process.stdout.write(
        `ok    the corpus, scenarios in TypeScript and an embedder on ${name}, with the same ${digits === null ? 'bytes' : 'numbers'}\n`,
      );
    failures.push(...problems.map((problem) => `${name}: ${problem}`));
  }
  return failures;
}

/** The report of the corpus without what clocks and machines put into it. */
function reportOf(home, command) {
  const { problem, stdout } = run(home, command, CORPUS);
  if (problem !== null) return { problem, text: '' };
  const { timing: _, ...report } = JSON.parse(stdout);
  return {
    problem: report.gate.verdict === 'pass' ? null : `the gate says ${report.gate.verdict}`,
    text: JSON.stringify(report),
  };
}

/** A report with so many digits of each number; null: all of them. */
function roundedTo(digits, text) {
  if (digits === null || text === '') return text;
  return JSON.stringify(JSON.parse(text), (_, value) =>
    typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(digits)) : value,
  );
}

function run(home, [file, ...flags], args) {
  const done = spawnSync(file, [...flags, ...args], {
    cwd: home,
    encoding: 'utf8',
    timeout: 300_000,
    maxBuffer: 64 * 1024 * 1024,
  });
  const problem =
    done.status === 0 ? null : `exit ${done.status ?? done.signal ?? done.error?.message}\n${done.stderr}`;
  return { problem, stdout: done.stdout };
}
