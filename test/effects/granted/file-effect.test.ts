import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFileEffect } from '../../../src/effects/granted/file-effect.ts';
import type { FileEffect } from '../../../src/effects/effect.ts';
import type { FileRequest } from '../../../src/plugin/request.ts';
import { told } from '../a-world.ts';
import { aCall, aDiskFolder, layOut, NOTHING } from './a-disk.ts';

const onLinux = test.skipIf(process.platform !== 'linux');
const isRoot = process.getuid?.() === 0;
const required = (process.env['PASSK_REQUIRE'] ?? '').split(',').includes('unprivileged');
const asUser = test.skipIf(isRoot && !required);

test('only granted paths are answered by the disk, each for what it is granted', () => {
  const top = aDiskFolder();
  mkdirSync(path.join(top, 'in'));
  symlinkSync('in', path.join(top, 'alias'));
  const at = (name: string): string => `${top}/${name}`;
  const effect = createFileEffect(
    { ...NOTHING, read: [at('alias'), at('one.txt')], write: [at('out/')] },
    { scenarioDir: at('in') },
  );
  const paths = ['alias/x', 'in/x', 'in', 'inner', 'one.txt', 'one.txt.bak', 'out/a/b', 'out/../in/x', 'in/../x'].map(
    at,
  );
  const asked = [...paths, '${SCENARIO_DIR}/x', '${SCENARIO_DIR}/../out/x', 'x', '${WORKSPACE}/x', ''];
  expect(Object.fromEntries(asked.map((one) => [one.replace(top, ''), coveredFor(effect, one)]))).toEqual({
    '/alias/x': ['read'],
    '/in/x': ['read'],
    '/in': ['read'],
    '/inner': [],
    '/one.txt': ['read'],
    '/one.txt.bak': [],
    '/out/a/b': ['write', 'mkdir'],
    '/out/../in/x': ['read'],
    '/in/../x': [],
    '${SCENARIO_DIR}/x': ['read'],
    '${SCENARIO_DIR}/../out/x': [],
    x: [],
    '${WORKSPACE}/x': [],
    '': [],
  });
});

test('a grant for everything leaves out what the system shows as files', () => {
  const all = createFileEffect({ ...NOTHING, read: true }, { scenarioDir: null });
  const named = createFileEffect({ ...NOTHING, read: ['/proc/sys'] }, { scenarioDir: null });
  const paths = ['/etc/hosts', '/proc/self/environ', '/dev/null', '/sys/x', '/process'];
  expect(paths.map((one) => all.covers(one, 'read'))).toEqual([true, false, false, false, true]);
  expect(['/proc/sys/x', '/proc/self'].map((one) => named.covers(one, 'read'))).toEqual([true, false]);
});

test('a link out of the granted folder breaks the trial and names the flag', async () => {
  const { top, effect } = aPlace({ 'in/out': '../secret', 'in/up': '..', 'in/abs': '/proc/self/environ' });
  writeFileSync(path.join(top, 'secret'), 's');
  const told = [
    await ask(effect, 'read', path.join(top, 'in/out')),
    await ask(effect, 'write', path.join(top, 'in/out'), 'x'),
    await ask(effect, 'read', path.join(top, 'in/up/secret')),
    await ask(effect, 'mkdir', path.join(top, 'in/up/made')),
    await ask(effect, 'read', path.join(top, 'in/abs')),
  ];
  expect(told.map((one) => String(one).replaceAll(top, 'TOP'))).toEqual([
    'broken: read_file TOP/in/out leads to TOP/secret, which needs --allow-read=TOP/secret.',
    'broken: write_file TOP/in/out leads to TOP/secret, which needs --allow-write=TOP/secret.',
    'broken: read_file TOP/in/up/secret leads to TOP/secret, which needs --allow-read=TOP/secret.',
    'broken: create_dir TOP/in/up/made leads to TOP/made, which needs --allow-write=TOP/made.',
    'broken: read_file TOP/in/abs leads to /proc/self/environ, which needs --allow-read=/proc/self/environ.',
  ]);
  expect([readFileSync(path.join(top, 'secret'), 'utf8'), existsSync(path.join(top, 'made'))]).toEqual(['s', false]);
});

test('policy judges the path behind links, before anything is done', async () => {
  const { top, effect } = aPlace({ 'in/link': 'real' });
  mkdirSync(path.join(top, 'in/real'));
  const seen: unknown[] = [];
  const call = aCall({
    recheck: (request) => {
      seen.push(request.port === 'file' && request.path.replace(top, 'TOP'));
      return 'no';
    },
  });
  const answers = [
    await effect.perform({ port: 'file', op: 'read', as: 'read_file', path: path.join(top, 'in/link/x') }, call),
    await effect.perform(
      { port: 'file', op: 'write', as: 'write_file', path: path.join(top, 'in/link/a/b'), content: 'x' },
      call,
    ),
  ];
  expect(answers.map(({ reply, source }) => [reply, source])).toEqual(
    answers.map(() => [{ kind: 'error', category: 'policy', message: 'no', denied: true }, 'policy']),
  );
  expect([seen, readdirSync(path.join(top, 'in/real'))]).toEqual([['TOP/in/real/x', 'TOP/in/real/a/b'], []]);
});

test('what is resolved keeps the root it was asked by', () => {
  const { top, effect } = aPlace({ 'in/a': 'b', 'in/out': '/' });
  const shown = ['${SCENARIO_DIR}/a/x', `${top}/in/a/x`, '${SCENARIO_DIR}', '${SCENARIO_DIR}/out/etc'];
  expect(shown.map((one) => effect.resolve(one).replace(top, 'TOP'))).toEqual([
    '${SCENARIO_DIR}/b/x',
    'TOP/in/b/x',
    '${SCENARIO_DIR}',
    '/etc',
  ]);
});

test('only text in plain files is read, up to 1 MiB', async () => {
  const { top, effect } = aPlace({});
  const at = (name: string): string => path.join(top, 'in', name);
  writeFileSync(at('bytes'), Buffer.from([0x66, 0xff]));
  writeFileSync(at('large'), '');
  truncateSync(at('large'), 1_048_577);
  writeFileSync(at('full'), 'x'.repeat(1_048_576));
  expect(spawnSync('mkfifo', [at('fifo')]).status).toBe(0);
  const answers: unknown[] = [];
  for (const name of ['bytes', 'large', 'fifo']) answers.push(await ask(effect, 'read', at(name)));
  answers.push(await ask(effect, 'write', at('fifo'), 'x'));
  expect(answers.map((one) => String(one).replace(top, 'TOP'))).toEqual([
    'tool: read TOP/in/bytes: stream did not contain valid UTF-8',
    'tool: read TOP/in/large: 1048577 bytes exceed the limit of 1048576 for one file',
    'tool: read TOP/in/fifo: it is no plain file',
    'tool: write TOP/in/fifo: it is no plain file',
  ]);
  expect(await ask(effect, 'read', at('full'))).toMatchObject({ bytes: 1_048_576 });
});

test('a write replaces the name: other names of the file keep what they had, permissions stay', async () => {
  const { top, effect } = aPlace({});
  const at = (name: string): string => path.join(top, name);
  writeFileSync(at('outside'), 'kept');
  chmodSync(at('outside'), 0o640);
  linkSync(at('outside'), at('in/hard'));
  expect(await ask(effect, 'write', at('in/hard'), 'new')).toMatchObject({ written: true });
  expect([readFileSync(at('outside'), 'utf8'), readFileSync(at('in/hard'), 'utf8')]).toEqual(['kept', 'new']);
  expect(statSync(at('in/hard')).mode & 0o777).toBe(0o640);
  expect(readdirSync(at('in'))).toEqual(['hard']);
});

asUser('what the user may not touch says so (needs an unprivileged user)', async () => {
  const { top, effect } = aPlace({});
  const at = (name: string): string => path.join(top, 'in', name);
  writeFileSync(at('locked'), 'x', { mode: 0o000 });
  mkdirSync(at('shut'), { mode: 0o500 });
  const answers = [
    await ask(effect, 'read', at('locked')),
    await ask(effect, 'write', at('locked'), 'y'),
    await ask(effect, 'write', at('shut/a/b'), 'y'),
  ];
  expect(answers.map((one) => String(one).replace(top, 'TOP'))).toEqual([
    'tool: read TOP/in/locked: Permission denied (os error 13)',
    'tool: write TOP/in/locked: Permission denied (os error 13)',
    'tool: mkdir_p TOP/in/shut/a: Permission denied (os error 13)',
  ]);
});

test('a granted folder that is not there yet is made by the first write', async () => {
  const top = aDiskFolder();
  const out = path.join(top, 'not/yet');
  const effect = createFileEffect({ ...NOTHING, write: [out] }, { scenarioDir: null });
  expect(await ask(effect, 'write', `${out}/a`, 'x')).toMatchObject({ written: true });
  expect(readFileSync(`${out}/a`, 'utf8')).toBe('x');
});

test('after the end of a trial or run nothing is done', async () => {
  const { top, effect } = aPlace({});
  const request = { port: 'file', op: 'write', as: 'write_file', path: path.join(top, 'in/a'), content: 'x' } as const;
  const ended = await effect.perform(request, aCall({ signal: AbortSignal.abort() }));
  const end = new AbortController();
  const under = effect.perform(request, aCall({ signal: end.signal }));
  end.abort();
  const text = `timeout: write ${request.path}: stopped, the time of the trial is up`;
  expect([told(ended.reply), told((await under).reply)]).toEqual([text, text]);
  await effect.close();
  expect(await ask(effect, 'write', request.path, 'x')).toBe(
    'broken: write_file was asked for after the run had ended.',
  );
  expect(readdirSync(path.join(top, 'in'))).toEqual([]);
});

onLinux('no descriptor stays open, whatever happens', async () => {
  const { top, effect } = aPlace({ 'in/link': 'a/b', 'in/loop': 'loop', 'in/out': '/etc' });
  const name = fc.constantFrom('a', 'b', 'c', 'link', 'loop', 'out', '..', 'x'.repeat(300), '');
  const op = fc.constantFrom('read', 'write', 'mkdir');
  const open = readdirSync('/proc/self/fd').length;
  await fc.assert(
    fc.asyncProperty(op, fc.array(name, { maxLength: 4 }), async (kind, names) => {
      await ask(effect, kind as FileRequest['op'], path.posix.join(top, 'in', names.join('/')), 'x');
      await ask(effect, kind as FileRequest['op'], `${top}/in/${names.join('/')}`, 'x');
      expect(readdirSync('/proc/self/fd').length).toBe(open);
    }),
    { numRuns: 200 },
  );
});

function coveredFor(effect: FileEffect, one: string): readonly string[] {
  return (['read', 'write', 'mkdir'] as const).filter((op) => effect.covers(one, op));
}

/** A folder with a granted `in`, which holds links. */
function aPlace(links: Readonly<Record<string, string>>): { readonly top: string; readonly effect: FileEffect } {
  const top = aDiskFolder();
  mkdirSync(path.join(top, 'in'));
  layOut(top, Object.fromEntries(Object.entries(links).map(([at, target]) => [at, { kind: 'link', target }])));
  const granted = [path.join(top, 'in')];
  return {
    top,
    effect: createFileEffect({ ...NOTHING, read: granted, write: granted }, { scenarioDir: path.join(top, 'in') }),
  };
}

async function ask(effect: FileEffect, op: FileRequest['op'], at: string, content?: string): Promise<unknown> {
  const as = { read: 'read_file', write: 'write_file', mkdir: 'create_dir' }[op];
  const request = { port: 'file', op, as, path: at, ...(content === undefined ? {} : { content }) } as const;
  return told((await effect.perform(request, aCall())).reply);
}
