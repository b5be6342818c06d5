import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aWorld, makeFolder, read, write } from './a-world.ts';

const file = (content: string) => ({ kind: 'file', content }) as const;
const link = (target: string) => ({ kind: 'link', target }) as const;

test('reads declared files by any name that leads to them, with sizes in UTF-8', () => {
  const world = aWorld({ files: { 'in/a.txt': file('grüß'), '/etc/hosts': file('') } });
  expect([read(world, 'in/a.txt'), read(world, './in//x/../a.txt'), read(world, '/etc/hosts')]).toEqual([
    { path: 'in/a.txt', content: 'grüß', bytes: 6 },
    { path: './in//x/../a.txt', content: 'grüß', bytes: 6 },
    { path: '/etc/hosts', content: '', bytes: 0 },
  ]);
});

test('a read that fails says what the operating system would say', () => {
  const world = aWorld({
    files: { 'a.txt': file('x'), loop: link('loop'), up: link('../..'), empty: { kind: 'dir' } },
  });
  const paths = ['gone', 'empty', 'a.txt/b', 'a.txt/', 'loop', 'up', 'x'.repeat(256), '/', '', 'a\u0000', '../x'];
  expect(paths.map((path) => read(world, path))).toEqual([
    'tool: read gone: No such file or directory (os error 2)',
    'tool: read empty: Is a directory (os error 21)',
    'tool: read a.txt/b: Not a directory (os error 20)',
    'tool: read a.txt/: Not a directory (os error 20)',
    'tool: read loop: Too many levels of symbolic links (os error 40)',
    'tool: read up: the path climbs out of ${WORKSPACE}',
    `tool: read ${'x'.repeat(256)}: File name too long (os error 36)`,
    'tool: read /: Is a directory (os error 21)',
    'tool: read : No such file or directory (os error 2)',
    'tool: read a\\u{0}: the path contains a control character',
    'tool: read ../x: the path climbs out of ${WORKSPACE}',
  ]);
});

test('a write makes its folders, is read back and is gone after a reset', () => {
  const world = aWorld({ files: { 'a.txt': file('old') } });
  expect([write(world, 'out/deep/b.txt', 'ä'), write(world, 'a.txt', 'new'), write(world, '/tmp/c', '')]).toEqual([
    { path: 'out/deep/b.txt', bytes: 2, written: true },
    { path: 'a.txt', bytes: 3, written: true },
    { path: '/tmp/c', bytes: 0, written: true },
  ]);
  expect([read(world, 'out/deep/b.txt'), read(world, 'a.txt'), read(world, 'out/deep')]).toEqual([
    { path: 'out/deep/b.txt', content: 'ä', bytes: 2 },
    { path: 'a.txt', content: 'new', bytes: 3 },
    'tool: read out/deep: Is a directory (os error 21)',
  ]);
  expect([world.file('out'), world.file('/tmp/c')?.kind, world.file('gone')]).toEqual([
    { kind: 'dir', content: '', bytes: 0 },
    'file',
    null,
  ]);
  world.reset();
  expect([read(world, 'out/deep/b.txt'), read(world, 'a.txt'), world.file('out')]).toEqual([
    'tool: read out/deep/b.txt: No such file or directory (os error 2)',
    { path: 'a.txt', content: 'old', bytes: 3 },
    null,
  ]);
});

test('links lead where the kernel would go, and policy sees where', () => {
  const world = aWorld({
    files: {
      '/real/secret': file('s'),
      '/real/sub/x': file('x'),
      'in/link': link('/real/sub'),
      'in/alias': link('../in/link/x'),
      'in/dangling': link('out.txt'),
    },
  });
  expect(
    ['in/link/x', 'in/link/../secret', 'in/alias', 'in/dangling', 'in/gone/y'].map((path) => world.resolve(path)),
  ).toEqual(['/real/sub/x', '/real/secret', '/real/sub/x', '${WORKSPACE}/in/out.txt', '${WORKSPACE}/in/gone/y']);
  expect([read(world, 'in/alias'), write(world, 'in/dangling', 'd'), world.file('in/out.txt')?.content]).toEqual([
    { path: 'in/alias', content: 'x', bytes: 1 },
    { path: 'in/dangling', bytes: 1, written: true },
    'd',
  ]);
});

test('answers that do not depend on the trial are one frozen object', () => {
  const world = aWorld({ files: { a: file('x') }, env: { K: 'v' } });
  const asks = [
    { port: 'file', op: 'read', as: 'read_file', path: 'a' },
    { port: 'file', op: 'read', as: 'read_file', path: 'gone' },
    { port: 'file', op: 'write', as: 'write_file', path: 'b', content: 'c' },
    { port: 'file', op: 'read', as: 'read_file', path: 'b' },
    { port: 'file', op: 'mkdir', as: 'create_dir', path: 'd' },
    { port: 'env', key: 'K' },
    { port: 'env', key: 'UNSET' },
  ] as const;
  const first = asks.map((request) => world.answer(request));
  world.reset();
  const second = asks.map((request) => world.answer(request));
  expect(second.map((answer, index) => answer === first[index])).toEqual(asks.map(() => true));
  expect(first.every((answer) => Object.isFrozen(answer) && Object.isFrozen(answer.reply))).toBe(true);
});

test('worlds of one template share nothing that is written', () => {
  const world = aWorld({ files: { a: file('x') } });
  const other = aWorld({ files: { a: file('x') } });
  write(world, 'a', 'changed');
  expect(read(other, 'a')).toEqual({ path: 'a', content: 'x', bytes: 1 });
});

test('budgets and limits refuse before anything is written', () => {
  const world = aWorld({}, { maxWrittenBytes: 5, limits: { valueBytes: 4, trialBytes: 4, entries: 2 } });
  expect([
    write(world, 'a', 'abc'),
    write(world, 'b', 'abc'),
    write(world, 'b', 'ab'),
    write(world, 'b', 'a'),
    write(world, 'c', ''),
    makeFolder(world, 'd'),
    write(world, 'a', ''),
  ]).toEqual([
    { path: 'a', bytes: 3, written: true },
    'tool: budget.fs_write exceeded: 3 bytes written, 3 more would pass 5',
    'tool: write b: 5 bytes exceed the limit of 4 that one trial may write',
    { path: 'b', bytes: 1, written: true },
    'tool: write c: one trial may make at most 2 files and folders',
    'tool: mkdir_p d: one trial may make at most 2 files and folders',
    { path: 'a', bytes: 0, written: true },
  ]);
  world.reset();
  expect(write(world, 'b', 'abcde')).toBe('tool: write b: 5 bytes exceed the limit of 4 for one file');
});

test('declared files that contradict each other do not load', () => {
  const tries = [
    { a: file('x'), './a': file('y') },
    { a: file('x'), 'a/b': file('y') },
    { a: link('b'), 'a/b': file('y') },
    { '../a': file('x') },
    { a: link('') },
  ];
  const messages = tries.map((files) => {
    try {
      aWorld({ files });
      return 'loaded';
    } catch (error) {
      return error instanceof Error ? error.message : '';
    }
  });
  expect(messages).toEqual([
    '"./a" in [world.files] declares ${WORKSPACE}/a a second time.',
    '"a/b" in [world.files] lies below "${WORKSPACE}/a", which is not a folder.',
    '"a/b" in [world.files] lies below "${WORKSPACE}/a", which is not a folder.',
    '"../a" in [world.files] is no usable path: the path climbs out of ${WORKSPACE}.',
    'The link "a" leads to "", but the path is empty.',
  ]);
});

const path = fc
  .array(fc.constantFrom('a', 'b', '..', '.'), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join('/'));
const step = fc.oneof(
  fc.record({ op: fc.constant('read' as const), path }),
  fc.record({ op: fc.constant('mkdir' as const), path }),
  fc.record({ op: fc.constant('write' as const), path, content: fc.constantFrom('', 'x', 'yy') }),
);

test('a reset world cannot be told from a new one', () => {
  const files = { 'a/b': file('declared'), link: link('a') };
  const used = aWorld({ files });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const fresh = aWorld({ files });
      const run = (world: typeof used) => steps.map((given) => world.answer({ port: 'file', as: 'node', ...given }));
      used.reset();
      expect(run(used)).toEqual(run(fresh));
    }),
  );
});
