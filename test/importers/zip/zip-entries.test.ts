import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { unpackEntry } from '../../../src/importers/zip/unpack-entry.ts';
import { type ZipEntries, zipEntries } from '../../../src/importers/zip/zip-entries.ts';
import { zipOf } from '../sources/zip.ts';

const hasPython = spawnSync('python3', ['-c', '']).status === 0;
const skipsPython = !hasPython && !(process.env['PASSK_REQUIRE'] ?? '').split(',').includes('python');

/** Everything that an archive tells at once. */
function entriesOf(archive: Uint8Array): ZipEntries {
  const steps = zipEntries((from, to) => archive.subarray(from, to), archive.length);
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}

function contents(archive: Uint8Array): readonly (readonly [string, string | null])[] {
  return entriesOf(archive).entries.map(({ name, record, data }) => [
    name,
    data === null
      ? null
      : Buffer.from(
          unpackEntry(archive.subarray(data.from, data.to), archive.subarray(record.from, record.to)),
        ).toString(),
  ]);
}

const TWO = [
  { name: 'one', content: 'first' },
  { name: 'übung/two', content: 'x'.repeat(70_000), method: 0 },
];
const SHOWN = [
  ['one', 'first'],
  ['übung/two', 'x'.repeat(70_000)],
];

test.each([
  ['as most have it', {}],
  ['with numbers of 64 bits', { isLong: true }],
  ['with a comment that looks like an end', { comment: 'PK\u0005\u0006 and more than 22 bytes' }],
])('finds the entries of an archive %s', (_, options) => {
  const archive = zipOf(TWO, options);
  expect(contents(archive)).toEqual(SHOWN);
  expect(entriesOf(archive).problem).toBeNull();
});

test('finds what comes before a cut, wherever it is', () => {
  const archive = zipOf([...TWO, ...TWO]);
  for (let length = 34; length < archive.length; length += 997) {
    const { entries, problem } = entriesOf(archive.subarray(0, length));
    expect(problem?.message).toBe('The archive is cut off: it has no directory at its end.');
    expect(entries.length).toBeGreaterThan(0);
    expect(entries.slice(0, -1).every(({ data }) => data !== null)).toBe(true);
  }
});

test('gives no bytes of one entry to another', () => {
  const archive = zipOf([...TWO, { name: 'three', content: 'third', headerAt: 0 }]);
  expect(contents(archive)).toEqual([...SHOWN, ['three', null]]);
});

test('keeps what stands before damage in the directory', () => {
  const archive = Buffer.from(zipOf(TWO));
  const second = archive.lastIndexOf('PK\u0001\u0002');
  archive[second] = 0;
  const { entries, problem } = entriesOf(archive);
  expect(entries.map(({ name }) => name)).toEqual(['one']);
  expect(problem).toMatchObject({ message: expect.stringContaining('damaged'), at: second });
});

test('refuses what has no entry at all', () => {
  expect(() => entriesOf(Buffer.from('PK\u0003\u0004 and nothing else that an entry would have'))).toThrow('cut off');
  const lying = Buffer.from(zipOf(TWO));
  lying.writeUInt32LE(4_000_000_000, lying.length - 6);
  expect(() => entriesOf(lying)).toThrow('The directory of the archive does not stand where its end says.');
});

test.skipIf(skipsPython)('reads what Python writes, to a file and to a stream', () => {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'passk-zip-')), 'own.zip');
  const script = [
    'import sys, zipfile',
    'class Stream:',
    '    def __init__(self, out): self.out = out',
    '    def write(self, data): return self.out.write(data)',
    '    def flush(self): pass',
    'for place, make in [(sys.argv[1], lambda out: out), (sys.argv[1] + ".stream", Stream)]:',
    '    with open(place, "wb") as out, zipfile.ZipFile(make(out), "w", zipfile.ZIP_DEFLATED) as archive:',
    '        archive.writestr("short", "short")',
    '        with archive.open("long", "w", force_zip64=True) as entry: entry.write(b"long")',
  ].join('\n');
  execFileSync('python3', ['-c', script, file]);
  for (const place of [file, `${file}.stream`]) {
    expect(contents(readFileSync(place))).toEqual([
      ['short', 'short'],
      ['long', 'long'],
    ]);
  }
});
