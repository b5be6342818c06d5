import { describe, expect, test } from 'vitest';
import { createFileEffect } from '../../../src/effects/granted/file-effect.ts';
import type { FileRequest } from '../../../src/plugin/request.ts';
import type { WorldFile } from '../../../src/types/scenarios/world.ts';
import { aWorld, told } from '../a-world.ts';
import { aCall, aDiskFolder, layOut, NOTHING } from './a-disk.ts';

const file = (content: string) => ({ kind: 'file', content }) as const;
const link = (target: string) => ({ kind: 'link', target }) as const;

type Files = Readonly<Record<string, WorldFile>>;
type Ask = (request: FileRequest) => Promise<unknown>;

const places: readonly (readonly [string, (files: Files) => Ask])[] = [
  [
    'in memory',
    (files) => {
      const below = Object.entries(files).map(([name, given]) => [`\${SCENARIO_DIR}/${name}`, given]);
      const world = aWorld({ files: Object.fromEntries(below) });
      return async (request) => told(world.answer(request).reply);
    },
  ],
  [
    'on disk',
    (files) => {
      const scenarioDir = aDiskFolder();
      layOut(scenarioDir, files);
      const effect = createFileEffect({ ...NOTHING, read: [scenarioDir], write: [scenarioDir] }, { scenarioDir });
      return async (request) => told((await effect.perform(request, aCall())).reply);
    },
  ],
];

describe.each(places)('files %s', (_, open) => {
  const all = async (files: Files, act: (ask: Asks) => readonly Promise<unknown>[]) =>
    Promise.all(act(asks(open(files))));

  test('are read by any name that leads to them, with sizes in UTF-8', async () => {
    const files = { 'in/a.txt': file('grüß'), empty: file(''), bom: file('\uFEFFx') };
    expect(
      await all(files, ({ read }) => [read('in/a.txt'), read('./in//x/../a.txt'), read('empty'), read('bom')]),
    ).toEqual([
      { path: '${SCENARIO_DIR}/in/a.txt', content: 'grüß', bytes: 6 },
      { path: '${SCENARIO_DIR}/./in//x/../a.txt', content: 'grüß', bytes: 6 },
      { path: '${SCENARIO_DIR}/empty', content: '', bytes: 0 },
      { path: '${SCENARIO_DIR}/bom', content: '\uFEFFx', bytes: 4 },
    ]);
  });

  test('that cannot be read say what the operating system would say', async () => {
    const files: Files = { 'a.txt': file('x'), loop: link('loop'), up: link('..'), empty: { kind: 'dir' } };
    const paths = [
      'gone',
      'gone/',
      'empty',
      'empty/',
      'a.txt/b',
      'a.txt/',
      'loop',
      'up',
      'x'.repeat(256),
      'a\u0000',
      '../x',
      '.',
    ];
    expect(await all(files, ({ read }) => paths.map(read))).toEqual([
      'tool: read ${SCENARIO_DIR}/gone: No such file or directory (os error 2)',
      'tool: read ${SCENARIO_DIR}/gone/: No such file or directory (os error 2)',
      'tool: read ${SCENARIO_DIR}/empty: Is a directory (os error 21)',
      'tool: read ${SCENARIO_DIR}/empty/: Is a directory (os error 21)',
      'tool: read ${SCENARIO_DIR}/a.txt/b: Not a directory (os error 20)',
      'tool: read ${SCENARIO_DIR}/a.txt/: Not a directory (os error 20)',
      'tool: read ${SCENARIO_DIR}/loop: Too many levels of symbolic links (os error 40)',
      'tool: read ${SCENARIO_DIR}/up: the path climbs out of ${SCENARIO_DIR}',
      `tool: read \${SCENARIO_DIR}/${'x'.repeat(256)}: File name too long (os error 36)`,
      'tool: read ${SCENARIO_DIR}/a\\u{0}: the path contains a control character',
      'tool: read ${SCENARIO_DIR}/../x: the path climbs out of ${SCENARIO_DIR}',
      'tool: read ${SCENARIO_DIR}/.: Is a directory (os error 21)',
    ]);
  });

  test('are written with their folders and read back', async () => {
    const { read, write } = asks(open({ 'a.txt': file('old') }));
    expect([await write('out/deep/b.txt', 'ä'), await write('a.txt', 'new'), await write('c', '')]).toEqual([
      { path: '${SCENARIO_DIR}/out/deep/b.txt', bytes: 2, written: true },
      { path: '${SCENARIO_DIR}/a.txt', bytes: 3, written: true },
      { path: '${SCENARIO_DIR}/c', bytes: 0, written: true },
    ]);
    expect([await read('out/deep/b.txt'), await read('a.txt'), await read('out/deep')]).toEqual([
      { path: '${SCENARIO_DIR}/out/deep/b.txt', content: 'ä', bytes: 2 },
      { path: '${SCENARIO_DIR}/a.txt', content: 'new', bytes: 3 },
      'tool: read ${SCENARIO_DIR}/out/deep: Is a directory (os error 21)',
    ]);
  });

  test('that cannot be written stay as they are', async () => {
    const { read, write, mkdir } = asks(open({ 'a.txt': file('x'), dir: { kind: 'dir' } }));
    expect([
      await write('dir', 'y'),
      await write('new/', 'y'),
      await write('a.txt/b', 'y'),
      await write('a.txt/b/c', 'y'),
      await write('b', 'x'.repeat(1_048_577)),
      await mkdir('a.txt'),
      await mkdir('a.txt/b'),
      await read('a.txt'),
    ]).toEqual([
      'tool: write ${SCENARIO_DIR}/dir: Is a directory (os error 21)',
      'tool: write ${SCENARIO_DIR}/new/: Is a directory (os error 21)',
      'tool: mkdir_p ${SCENARIO_DIR}/a.txt: File exists (os error 17)',
      'tool: mkdir_p ${SCENARIO_DIR}/a.txt/b: Not a directory (os error 20)',
      'tool: write ${SCENARIO_DIR}/b: 1048577 bytes exceed the limit of 1048576 for one file',
      'tool: mkdir_p ${SCENARIO_DIR}/a.txt: File exists (os error 17)',
      'tool: mkdir_p ${SCENARIO_DIR}/a.txt/b: Not a directory (os error 20)',
      { path: '${SCENARIO_DIR}/a.txt', content: 'x', bytes: 1 },
    ]);
  });

  test('get their folders with all above them, again and again', async () => {
    const { read, mkdir } = asks(open({}));
    const made = { path: '${SCENARIO_DIR}/x/y', created: true };
    expect([await mkdir('x/y'), await mkdir('x/y'), await read('x')]).toEqual([
      made,
      made,
      'tool: read ${SCENARIO_DIR}/x: Is a directory (os error 21)',
    ]);
  });

  test('are found behind links as the kernel finds them', async () => {
    const { read, write, mkdir } = asks(
      open({
        'real/secret': file('s'),
        'real/sub/x': file('x'),
        'in/link': link('../real/sub'),
        'in/alias': link('../in/link/x'),
        'in/dangling': link('out.txt'),
      }),
    );
    expect([
      await read('in/link/../secret'),
      await read('in/alias'),
      await write('in/dangling', 'd'),
      await read('in/out.txt'),
      await write('in/alias', 'new'),
      await read('real/sub/x'),
      await mkdir('in/link/more/and/more'),
      await read('real/sub/more/and/more'),
    ]).toEqual([
      { path: '${SCENARIO_DIR}/in/link/../secret', content: 's', bytes: 1 },
      { path: '${SCENARIO_DIR}/in/alias', content: 'x', bytes: 1 },
      { path: '${SCENARIO_DIR}/in/dangling', bytes: 1, written: true },
      { path: '${SCENARIO_DIR}/in/out.txt', content: 'd', bytes: 1 },
      { path: '${SCENARIO_DIR}/in/alias', bytes: 3, written: true },
      { path: '${SCENARIO_DIR}/real/sub/x', content: 'new', bytes: 3 },
      { path: '${SCENARIO_DIR}/in/link/more/and/more', created: true },
      'tool: read ${SCENARIO_DIR}/real/sub/more/and/more: Is a directory (os error 21)',
    ]);
  });
});

interface Asks {
  read(name: string): Promise<unknown>;
  write(name: string, content: string): Promise<unknown>;
  mkdir(name: string): Promise<unknown>;
}

function asks(ask: Ask): Asks {
  const at = (name: string): string => `\${SCENARIO_DIR}/${name}`;
  return {
    read: (name) => ask({ port: 'file', op: 'read', as: 'read_file', path: at(name) }),
    write: (name, content) => ask({ port: 'file', op: 'write', as: 'write_file', path: at(name), content }),
    mkdir: (name) => ask({ port: 'file', op: 'mkdir', as: 'create_dir', path: at(name) }),
  };
}
