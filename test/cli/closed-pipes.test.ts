import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { faultDice, faultPoints } from '../support/fault-points.ts';
import { aFolder, aGreeting, PASSK } from './run-passk.ts';

const SHARE = 16;
/** Commands that print more than a pipe holds, each with the exit code of a whole reader. */
const COMMANDS: readonly (readonly [status: number, args: readonly string[]])[] = [
  [1, ['run', '.', '--json', '--journal', 'kept']],
  [1, ['run', '.', '-r', 'reference-json', '-r', 'json:report.json']],
  [1, ['run', '.', '-r', 'ndjson', '-r', 'json:report.json']],
  [1, ['run', '.', '-r', 'junit', '--journal', 'kept']],
  [1, ['run', '.', '-r', 'tap', '-r', 'html:report.html']],
  [0, ['list', '.', '--json']],
];

/** Many scenarios, so that each report is longer than the 64 KiB of a pipe. */
function aLargeSuite(): string {
  const cwd = aFolder();
  for (let i = 0; i < 120; i++) {
    const name = `scenario-${i}-${'long'.repeat(120)}`;
    writeFileSync(path.join(cwd, `${i}.toml`), aGreeting({ name, lastNode: i % 2 === 0 ? 'greet' : 'done' }));
  }
  return cwd;
}

/** Runs the command with this many bytes read of what it prints; `null`: all of it. */
function headOf(cwd: string, args: readonly string[], bytes: number | null) {
  const reader = bytes === null ? 'cat' : `head -c ${bytes}`;
  const { stdout } = spawnSync(
    'sh',
    ['-c', `{ "$0" "$@" 2> said; echo $? > status; } | ${reader}`, process.execPath, PASSK, ...args],
    { cwd, maxBuffer: 2 ** 27 },
  );
  const textOf = (name: string): string => readFileSync(path.join(cwd, name), 'utf8').trim();
  return { read: stdout.length, status: Number(textOf('status')), said: textOf('said') };
}

/** What a report is without its clock, and every file there is. */
function left(cwd: string): readonly unknown[] {
  const names = readdirSync(cwd, { recursive: true, encoding: 'utf8' }).filter((name) => !name.endsWith('.toml'));
  return names.sort().map((name) => {
    if (name !== 'report.json') return name;
    const { timing: _, ...report } = JSON.parse(readFileSync(path.join(cwd, name), 'utf8')) as {
      readonly timing: unknown;
    };
    return report;
  });
}

const points = faultPoints(SHARE);
test.skipIf(process.platform === 'win32')(
  `a reader that closes the pipe at ${points} seeded bytes, as head does, changes neither the exit code nor a file`,
  () => {
    const dice = faultDice('closed pipes');
    const whole = COMMANDS.map(([status, args]) => {
      const cwd = aLargeSuite();
      const ended = headOf(cwd, args, null);
      expect(ended).toEqual({ read: expect.any(Number), status, said: '' });
      expect(ended.read).toBeGreaterThan(2 ** 16);
      return { ...ended, files: left(cwd) };
    });
    for (let point = 0; point < points; point++) {
      const at = point % COMMANDS.length;
      const [status, args] = COMMANDS[at] ?? [0, []];
      const cwd = aLargeSuite();
      // Clocks make reports a little longer or shorter.
      const bytes = dice() % ((whole[at]?.read ?? 0) - 2000);
      expect({ args, ...headOf(cwd, args, bytes) }).toEqual({ args, read: bytes, status, said: '' });
      expect(left(cwd)).toEqual(whole[at]?.files);
      if (!args.includes('--journal')) continue;
      const resumed = headOf(cwd, [...args, '--resume'], null);
      expect(resumed.status).toBe(status);
      expect(resumed.said).toBe('passk: The journal has all 960 trials; nothing was run again.');
    }
  },
  10_000 * (COMMANDS.length + 2 * points),
);
