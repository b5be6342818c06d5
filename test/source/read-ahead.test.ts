import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { type FileAhead, type ReadAhead, type ReadAheadOptions, readAhead } from '../../src/source/read-ahead.ts';
import { readOrdinary } from '../../src/source/read-ordinary.ts';
import { parsed } from './parsed.ts';

const READER = new URL('../../dist/bin/file-reader.cjs', import.meta.url);
const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'passk-ahead-')));
afterAll(() => rmSync(root, { recursive: true }));
const maxBytes = 1_000_000;

function write(name: string, content: string | Uint8Array): string {
  const file = path.join(root, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

/** Files in two folders; now and then one that only a closer look can tell something about. */
function manyFiles(count: number): readonly string[] {
  return Array.from({ length: count }, (_, number) => {
    const name = `${number % 2}/${number}.toml`;
    switch (number % 50) {
      case 7:
        return write(name, Uint8Array.of(0x61, 0xff));
      case 17:
        return write(name, `# ${'x'.repeat(20_000)}`);
      case 27: {
        symlinkSync(write(`linked/${number}.toml`, ''), path.join(root, name));
        return path.join(root, name);
      }
      case 37:
        return path.join(root, 'none.toml');
      case 47:
        return '';
      default:
        return write(name, `${number === 0 ? '\uFEFF' : ''}name = "é${number}"\n`);
    }
  });
}

/** What is taken of each file by someone who gives the thread the time that parsing takes. */
async function takeAll(ahead: ReadAhead, paths: readonly string[]): Promise<readonly (FileAhead | null)[]> {
  const taken: (FileAhead | null)[] = [];
  for (const [position, file] of paths.entries()) {
    ahead.moveTo(position);
    if (position % 16 === 0) await delay(1);
    taken.push(ahead.take(file));
  }
  return taken;
}

describe('a thread that reads and parses files before they are wanted', () => {
  const paths = manyFiles(3000);

  function started(url = READER, options: ReadAheadOptions = { maxBytes }): ReadAhead {
    const ahead = readAhead(url, paths, options);
    if (ahead === null) throw new Error('no thread was started');
    return ahead;
  }

  test('gives the texts that reading them gives and what they say, and nothing where a closer look is needed', async () => {
    const ahead = started();
    await firstText(ahead, paths);
    const taken = await takeAll(ahead, paths);
    ahead.close();
    const read = paths.map((file) => (file === '' ? null : readOrdinary(file, maxBytes)));
    const there = taken.flatMap((file, at) => (file === null ? [] : [{ ...file, at }]));
    const wrong = there.filter(({ text, at }) => text !== read[at]);
    const large = there.filter(({ text }) => text.length > 16_000);
    expect({ wrong, large, most: there.length > 1000 }).toEqual({ wrong: [], large: [], most: true });
    // What they say comes with them, where they were read early enough.
    const said = there.filter(({ known }) => known !== null);
    const misread = said.filter(({ text, known }) => !isDeepStrictEqual(known?.data, parsed(text).data));
    expect({ misread, most: said.length > 1000 }).toEqual({ misread: [], most: true });
  });

  test('keeps to the folders and the size it is given', async () => {
    const within = [path.join(root, '1')];
    const ahead = started(READER, { maxBytes, within });
    await firstText(ahead, paths);
    const taken = await takeAll(ahead, paths);
    ahead.close();
    expect(taken.filter((file, at) => file !== null && at % 2 === 0)).toEqual([]);
    const small = started(READER, { maxBytes: 3 });
    expect((await takeAll(small, paths)).filter((file) => file !== null)).toEqual([]);
    small.close();
  });

  test('has nothing for who asks for another file than the one that is next, nor where it cannot run', async () => {
    const ahead = started();
    const at = await firstText(ahead, paths);
    expect(ahead.take(paths[at + 1] ?? '')).toBe(null);
    ahead.close();
    const none = started(new URL('none.cjs', READER));
    expect((await takeAll(none, paths.slice(0, 300))).filter((file) => file !== null)).toEqual([]);
    none.close();
    expect(readAhead(new URL('https://127.0.0.1/none.cjs'), paths, { maxBytes })).toBe(null);
  });

  test('keeps no process alive', () => {
    const program = `
      import { loadSuite } from ${JSON.stringify(new URL('../../dist/bin/index.js', import.meta.url).href)};
      let threads = 0;
      process.on('worker', () => threads++);
      const { files } = await loadSuite({ paths: [${JSON.stringify(root)}] });
      setImmediate(() => console.log(files.length > 2000, threads));`;
    const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
      encoding: 'utf8',
      timeout: 60_000,
    });
    expect([status, stdout]).toEqual([0, 'true 1\n']);
  });
});

/** Goes forward until the thread has come to read, and tells where that was. */
async function firstText(ahead: ReadAhead, paths: readonly string[]): Promise<number> {
  for (let round = 0; ; round++) {
    const position = round % 64;
    ahead.moveTo(position);
    await delay(2);
    if (ahead.take(paths[position] ?? '') !== null) return position;
  }
}
