import { spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { expect, onTestFinished, test } from 'vitest';
import { aFolder, aGreeting, PASSK, runPassk } from './run-passk.ts';

/** A report of far more than the 64 KiB that a pipe holds. */
function aLargeSuite(): string {
  const cwd = aFolder();
  for (let i = 0; i < 150; i++)
    writeFileSync(path.join(cwd, `${i}.toml`), aGreeting({ name: `scenario-${i}-${'long'.repeat(150)}` }));
  return cwd;
}

const ARGS = ['run', '.', '--reporter', 'reference-json'];

test('a file gets what a pipe gets', async () => {
  const cwd = aLargeSuite();
  const piped = await runPassk(ARGS, { cwd });
  const folder = mkdtempSync(path.join(tmpdir(), 'passk-output-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'report.json');
  const descriptor = openSync(file, 'w');
  const { status } = spawnSync(process.execPath, [PASSK, ...ARGS], { cwd, stdio: ['ignore', descriptor, 'ignore'] });
  closeSync(descriptor);
  expect([status, piped.status, piped.stdout.length > 2 ** 17]).toEqual([0, 0, true]);
  expect(withoutTimes(readFileSync(file, 'utf8'))).toEqual(withoutTimes(piped.stdout));
});

test.skipIf(process.platform !== 'linux')('a pipe that refuses to wait gets everything all the same', async () => {
  const cwd = aLargeSuite();
  const whole = await runPassk(ARGS, { cwd });
  // The reader starts late, and whoever made the pipe has said O_NONBLOCK for both ends of its description.
  const script = `
    import fcntl, os, subprocess, sys, time
    reader, writer = os.pipe()
    fcntl.fcntl(writer, fcntl.F_SETFL, fcntl.fcntl(writer, fcntl.F_GETFL) | os.O_NONBLOCK)
    child = subprocess.Popen(sys.argv[1:], stdout=writer, stderr=subprocess.DEVNULL)
    os.close(writer)
    time.sleep(1.5)
    with os.fdopen(reader, 'rb') as pipe:
        sys.stdout.buffer.write(pipe.read())
    sys.exit(child.wait())`.replaceAll('\n    ', '\n');
  const child = spawn('python3', ['-c', script, process.execPath, PASSK, ...ARGS], {
    cwd,
    stdio: ['ignore', 'pipe', 2],
  });
  let said = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const status = await new Promise((resolve) => child.on('close', resolve));
  expect(status).toBe(0);
  expect(withoutTimes(said)).toEqual(withoutTimes(whole.stdout));
});

test.skipIf(process.platform !== 'linux')('a full disk is an output that failed', async () => {
  const cwd = aLargeSuite();
  const full = openSync('/dev/full', 'w');
  onTestFinished(() => closeSync(full));
  const { status, stderr } = spawnSync(process.execPath, [PASSK, ...ARGS], {
    cwd,
    stdio: ['ignore', full, 'pipe'],
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([2, expect.stringContaining('Standard output cannot be written')]);
});

test.skipIf(process.platform === 'win32')(
  'without a standard output the run goes on, and its exit code is the verdict',
  () => {
    const cwd = aLargeSuite();
    const { status } = spawnSync('sh', ['-c', '"$0" "$@" >&- 2>&-', process.execPath, PASSK, 'run', '.'], { cwd });
    expect(status).toBe(0);
  },
);

function withoutTimes(report: string): unknown {
  return JSON.parse(report, (key, value: unknown) =>
    /duration|_at$|_ms$|generated|elapsed|wall/.test(key) ? null : value,
  );
}
