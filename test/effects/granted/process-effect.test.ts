import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Effect } from '../../../src/effects/effect.ts';
import { createProcessEffect } from '../../../src/effects/granted/process-effect.ts';
import type { ProcessRequest } from '../../../src/plugin/request.ts';
import type { Grant } from '../../../src/types/permissions.ts';
import { told } from '../a-world.ts';
import { aCall, aDiskFolder } from './a-disk.ts';

const onLinux = test.skipIf(process.platform !== 'linux');
const SH = '/bin/sh';

test('a program gets its arguments as they are, and nothing of the environment', async () => {
  process.env['PASSK_TEST_SECRET'] = 'secret';
  onTestFinished(() => {
    delete process.env['PASSK_TEST_SECRET'];
  });
  expect(await run(['printf'], '/usr/bin/printf', ['%s|', '$HOME; `id`', '*', ''])).toEqual({
    command: '/usr/bin/printf',
    args: ['%s|', '$HOME; `id`', '*', ''],
    exit_code: 0,
    signal: null,
    stdout: '$HOME; `id`|*||',
    stderr: '',
    truncated: false,
    timed_out: false,
    duration_ms: expect.any(Number),
  });
  const env = await run(['env'], '/usr/bin/env');
  expect(String(env.stdout).trim().split('\n').sort()).toEqual([
    'HOME=${WORKSPACE}',
    'LANG=C.UTF-8',
    'PATH=/usr/local/bin:/usr/bin:/bin',
    'TMPDIR=${WORKSPACE}',
  ]);
});

test('a program has no input, and an empty folder of its own that is gone afterwards', async () => {
  const before = ownFolders();
  const script =
    'cat; pwd; ls -A; mkdir -p a/b && echo x > a/b/c && chmod 0 a/b a; cd / && ls -dl $HOME | cut -c 1-10; echo bad >&2; exit 7';
  expect(await run(['sh'], SH, ['-c', script])).toMatchObject({
    exit_code: 7,
    stdout: '${WORKSPACE}\ndrwx------\n',
    stderr: 'bad\n',
  });
  expect(ownFolders()).toEqual(before);
});

test('grants are kept by name and by the file behind it', async () => {
  const folder = aDiskFolder();
  const at = (name: string): string => path.join(folder, name);
  mkdirSync(at('bin'));
  writeFileSync(at('bin/tool'), '#!/bin/sh\necho tool $1\n', { mode: 0o755 });
  writeFileSync(at('sh'), '#!/bin/sh\necho impostor\n', { mode: 0o755 });
  symlinkSync(SH, at('renamed'));
  symlinkSync(at('bin'), at('alias'));
  const grants: Grant = ['sh', at('alias/tool'), at('gone')];
  const effect = createProcessEffect({ run: grants });
  const commands = [
    SH,
    `/usr/..${SH}`,
    at('bin/tool'),
    at('sh'),
    at('renamed'),
    '/usr/bin/env',
    at('gone'),
    'sh',
    './sh',
  ];
  const refusals = commands.map((command) => effect.refusal(aRequest(command))?.replaceAll(folder, 'DIR') ?? null);
  expect(refusals).toEqual([
    null,
    null,
    null,
    'The program DIR/sh needs --allow-run=DIR/sh.',
    'The program DIR/renamed needs --allow-run=DIR/renamed.',
    'The program /usr/bin/env needs --allow-run=/usr/bin/env.',
    null,
    null,
    null,
  ]);
  expect(await perform(effect, at('bin/tool'), ['x'])).toMatchObject({ stdout: 'tool x\n' });
  expect(await perform(effect, at('sh'))).toBe(`broken: The program ${folder}/sh needs --allow-run=${folder}/sh.`);
  expect(await perform(effect, 'sh')).toBe('tool: shell_run requires an absolute path, not `sh`');
  expect([true, false, []].map((grant) => createProcessEffect({ run: grant }).refusal(aRequest(SH)) === null)).toEqual([
    true,
    false,
    false,
  ]);
});

test('policy judges the program behind links, those of the system folders aside', async () => {
  const folder = aDiskFolder();
  symlinkSync(SH, path.join(folder, 'tool'));
  symlinkSync('/usr/bin', path.join(folder, 'bin'));
  const judged: unknown[] = [];
  const call = aCall({
    recheck: (request) => {
      judged.push(request.port === 'process' && request.command);
      return 'denied here';
    },
  });
  const effect = createProcessEffect({ run: true });
  const commands = [SH, path.join(folder, 'tool'), path.join(folder, 'bin/env'), '/usr/bin/../bin/env'];
  const replies: unknown[] = [];
  for (const command of commands) replies.push((await effect.perform(aRequest(command), call)).reply);
  expect(replies).toEqual(
    commands.map(() => ({ kind: 'error', category: 'policy', message: 'denied here', denied: true })),
  );
  expect(judged).toEqual([SH, SH, '/usr/bin/env', '/usr/bin/env']);
});

test('what cannot be started says what the operating system would say', async () => {
  const folder = aDiskFolder();
  const at = (name: string): string => path.join(folder, name);
  writeFileSync(at('plain'), 'echo no shell reads this', { mode: 0o755 });
  writeFileSync(at('locked'), '#!/bin/sh\n', { mode: 0o644 });
  writeFileSync(at('lost'), '#!/not/there\n', { mode: 0o755 });
  symlinkSync('loop', at('loop'));
  const long = 'x'.repeat(128 << 10);
  const answers = [
    ...(await each([at('gone'), at('plain/x'), at('loop'), at('plain'), at('locked'), folder, at('lost'), '/a\u0000'])),
    await run(true, SH, ['a\0b']),
    await run(true, SH, ['\ud800']),
    await run(true, SH, [long]),
    await run(true, SH, new Array(200_000).fill('')),
  ];
  expect(answers.map((one) => String(one).replace(folder, 'DIR'))).toEqual([
    'tool: resolve DIR/gone: No such file or directory (os error 2)',
    'tool: resolve DIR/plain/x: Not a directory (os error 20)',
    'tool: resolve DIR/loop: Too many levels of symbolic links (os error 40)',
    'tool: spawn DIR/plain: Exec format error (os error 8)',
    'tool: spawn DIR/locked: Permission denied (os error 13)',
    'tool: spawn DIR: Permission denied (os error 13)',
    'tool: spawn DIR/lost: No such file or directory (os error 2)',
    'tool: shell_run requires an absolute path, not `/a\\u{0}`',
    'tool: shell_run `/bin/sh`: argument 0 contains a NUL character',
    'tool: shell_run `/bin/sh`: argument 0 is not valid Unicode',
    'tool: spawn /bin/sh: Argument list too long (os error 7)',
    'tool: spawn /bin/sh: Argument list too long (os error 7)',
  ]);
  expect(await run(true, SH, ['-c', 'true', long.slice(1)])).toMatchObject({ exit_code: 0 });
});

test('output that is no UTF-8 is mended, long output is cut, endless output is killed', async () => {
  expect(await run(true, SH, ['-c', "printf 'a\\377b'"])).toMatchObject({ stdout: 'a\ufffdb', truncated: false });
  const long = await run(true, SH, ['-c', 'head -c 100000 /dev/zero | tr "\\0" x; echo end >&2']);
  expect([String(long.stdout).length, long.stderr, long.truncated]).toEqual([65_536, 'end\n', true]);
  expect(await run(true, '/usr/bin/yes')).toBe(
    'tool: shell_run `/usr/bin/yes`: killed, it printed more than 1048576 bytes',
  );
});

onLinux('a signal and a timeout are told apart, and neither leaves anything', async () => {
  expect(await run(true, SH, ['-c', 'echo so far; kill -15 $$'])).toMatchObject({
    exit_code: -1,
    signal: 15,
    timed_out: false,
    stdout: 'so far\n',
  });
  const log = path.join(aDiskFolder(), 'pids');
  const tree = 'setsid sleep 1000 & echo $! >> "$1"; echo so far; sleep 1000';
  expect(await run(true, SH, ['-c', tree, 'x', log], 2000)).toMatchObject({
    exit_code: -1,
    signal: 9,
    timed_out: true,
    stdout: 'so far\n',
  });
  await expectGone(log);
});

// Each starts processes that outlive it, and writes their numbers to a file.
const LEAVERS = {
  'a child in the background': 'sleep 1000 & echo $! >> "$1"',
  'a child that ignores what can be ignored':
    'sh -c \'trap "" TERM HUP INT; echo $$ >> "$1"; while :; do sleep 1; done\' x "$1" &',
  'a grandchild with a session of its own': 'setsid sh -c \'echo $$ >> "$1"; sleep 1000\' x "$1" &',
  'an orphan with a session of its own':
    '(setsid sh -c \'sleep 1000 & echo $! >> "$1"; echo $$ >> "$1"; wait\' x "$1" &) &',
  'an orphan elsewhere, with all descriptors closed':
    'cd /; (setsid sh -c \'echo $$ >> "$1"; exec sleep 1000\' x "$1" <&- >&- 2>&- &) ; sleep 0.1',
  'an orphan without environment':
    '(env -i setsid sh -c \'echo $$ >> "$1"; exec sleep 1000\' x "$1" >/dev/null 2>&1 &)',
};

onLinux.each(Object.entries(LEAVERS))('nothing survives: %s', async (_, script) => {
  const log = path.join(aDiskFolder(), 'pids');
  const told = await run(true, SH, ['-c', `${script}\nwhile [ ! -s "$1" ]; do sleep 0.01; done`, 'x', log]);
  expect(told).toMatchObject({ exit_code: 0, timed_out: false });
  await expectGone(log);
  writeFileSync(log, '');
  expect(await stopOnce(() => pidsIn(log).length > 0, ['-c', `${script}\nsleep 1000`, 'x', log])).toBe(STOPPED);
  await expectGone(log);
});

onLinux('nothing survives the end of the trial, nor the end of the run', async () => {
  const log = path.join(aDiskFolder(), 'pids');
  const effect = createProcessEffect({ run: true });
  const args = ['-c', 'setsid sleep 1000 & echo $! >> "$1"; echo $$ >> "$1"; sleep 1000', 'x', log];
  expect(await stopOnce(() => pidsIn(log).length === 2, args)).toBe(STOPPED);
  await expectGone(log);

  writeFileSync(log, '');
  const second = effect.perform(aRequest(SH, args), aCall());
  await until(() => pidsIn(log).length === 2);
  await effect.close();
  await expectGone(log);
  expect((await second).reply.kind).toBe('error');
  expect(await perform(effect, SH)).toBe('broken: shell_run `/bin/sh` was asked for after the run had ended.');
});

onLinux('processes that only start the next one and end are caught on the run', async () => {
  const log = path.join(aDiskFolder(), 'pids');
  const runner = `${log}.sh`;
  writeFileSync(runner, `#!/bin/sh\necho $$ >> ${log}\nsleep 0.02\nsetsid ${runner} &\n`, { mode: 0o755 });
  expect(await stopOnce(() => pidsIn(log).length > 3, ['-c', `${runner}; sleep 1000`])).toBe(STOPPED);
  await expectGone(log);
});

test('many programs run side by side without meeting', async () => {
  const effect = createProcessEffect({ run: ['sh'] });
  const numbers = Array.from({ length: 20 }, (_, number) => number);
  const script = 'echo $1 > mine; sleep 0.05; cat mine; ls | wc -l';
  const answers = await Promise.all(numbers.map((number) => perform(effect, SH, ['-c', script, 'x', `${number}`])));
  expect(answers.map((one) => String(asOutput(one).stdout).split(/\s+/).slice(0, 2))).toEqual(
    numbers.map((number) => [`${number}`, '1']),
  );
});

function aRequest(command: string, args: readonly string[] = [], timeoutMs = 20_000): ProcessRequest {
  return { port: 'process', command, args, timeoutMs };
}

async function perform(
  effect: Effect<ProcessRequest>,
  command: string,
  args: readonly string[] = [],
  timeoutMs?: number,
) {
  return told((await effect.perform(aRequest(command, args, timeoutMs), aCall())).reply);
}

interface Output {
  readonly [key: string]: unknown;
}

function asOutput(value: unknown): Output {
  return value as Output;
}

async function run(grant: Grant, command: string, args: readonly string[] = [], timeoutMs?: number): Promise<Output> {
  const effect = createProcessEffect({ run: grant });
  try {
    return asOutput(await perform(effect, command, args, timeoutMs));
  } finally {
    await effect.close();
  }
}

const STOPPED = 'timeout: shell_run `/bin/sh`: stopped, the time of the trial is up';

/** Runs a shell whose trial ends as soon as something holds. */
async function stopOnce(holds: () => boolean, args: readonly string[]): Promise<unknown> {
  const effect = createProcessEffect({ run: true });
  const end = new AbortController();
  const running = effect.perform(aRequest(SH, args), aCall({ signal: end.signal }));
  await until(holds);
  end.abort();
  const { reply } = await running;
  await effect.close();
  return told(reply);
}

async function each(commands: readonly string[]): Promise<readonly unknown[]> {
  const answers: unknown[] = [];
  for (const command of commands) answers.push(await run(true, command));
  return answers;
}

function ownFolders(): readonly string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith('passk-run-') && name.includes(`-${process.pid}-`));
}

function pidsIn(log: string): readonly number[] {
  return existsSync(log) ? readFileSync(log, 'utf8').split('\n').filter(Boolean).map(Number) : [];
}

/** What was killed is listed as running for a moment longer, on a busy machine for a longer one. */
async function expectGone(log: string): Promise<void> {
  expect(pidsIn(log).length).toBeGreaterThan(0);
  await vi.waitFor(() => expect(pidsIn(log).filter(isAlive)).toEqual([]), { timeout: 30_000 });
}

// One that only waits for its new parent to notice is dead.
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}
