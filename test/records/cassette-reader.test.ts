import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CassetteReader, openCassette } from '../../src/records/cassette-reader.ts';
import { createCassette, type RecordedTrial } from '../../src/records/cassette-writer.ts';
import { type FileLayer, nodeFiles } from '../../src/records/file-layer.ts';
import { encodeFrame, FrameReader } from '../../src/records/frame.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'passk-reader-'));
const file = path.join(folder, 'run.cassette');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const HEAD = {
  passk: '1.0.0',
  settings: '{}',
  scenarios: [{ name: 'a', file: 'a.toml', trials: 3, digest: 'a'.repeat(64) }],
};
const TRIALS: readonly RecordedTrial[] = [2, 0, 1].map((trial) => ({
  scenario: 0,
  trial,
  bills: [],
  tape: Uint8Array.from({ length: 5 + 9 * trial }, (_, at) => at + trial),
}));

let whole = new Uint8Array(0);
/** Where the frames of the three trials stand. */
let places: readonly { readonly at: number; readonly length: number }[] = [];
beforeAll(async () => {
  const writer = await createCassette(file, HEAD);
  for (const trial of TRIALS) await writer.append(trial);
  await writer.close(true);
  whole = Uint8Array.from(readFileSync(file));
  places = new FrameReader().pushFrames(whole).slice(1, 4);
});

/** Opens the cassette as it was recorded; what its file holds afterwards is for `use` to say. */
async function opened(use: (cassette: CassetteReader) => Promise<void>): Promise<void> {
  writeFileSync(file, whole);
  const cassette = await openCassette(file);
  try {
    expect(cassette.end).toBe('complete');
    await use(cassette);
  } finally {
    await cassette.close();
  }
}

test('a cassette that finds the disk full says so, and is replayed as far as it goes', async () => {
  let room = Number.POSITIVE_INFINITY;
  const files: FileLayer = {
    ...nodeFiles,
    open: async (...args) => {
      const target = await nodeFiles.open(...args);
      const write: typeof target.write = async (bytes, position) => {
        if (bytes.length > room) throw Object.assign(new Error('no room'), { code: 'ENOSPC' });
        return target.write(bytes, position);
      };
      return { ...target, write };
    },
  };
  const full = path.join(folder, 'full.cassette');
  const writer = await createCassette(full, HEAD, files);
  const [first, second] = TRIALS as [RecordedTrial, RecordedTrial];
  await writer.append(first);
  room = 0;
  await expect(writer.append(second)).rejects.toMatchObject({
    code: 'OUTPUT',
    message: `The cassette cannot be written to ${full}: the disk is full.`,
    hint: `--replay ${full} shows the trials that it holds.`,
  });
  await writer.close(false);
  const cassette = await openCassette(full);
  const held = await Promise.all([cassette.read(first), cassette.read(second)]);
  expect([cassette.end, held.map((one) => one?.trial)]).toEqual(['cut', [first.trial, undefined]]);
  await cassette.close();
  rmSync(full);
});

const CHANGED = { code: 'INPUT', message: `The cassette ${file} has changed while it was read.` };

test('a cassette is recorded by one run at a time, whichever way that ends', async () => {
  const other = path.join(folder, 'other.cassette');
  for (const end of ['close', 'discard'] as const) {
    const writer = await createCassette(other, HEAD);
    await expect(createCassette(other, HEAD)).rejects.toMatchObject({
      code: 'USAGE',
      message: 'Another run of this process is writing this cassette.',
    });
    await writer[end](true);
  }
  expect(readdirSync(folder).sort()).toEqual(['other.cassette', 'run.cassette']);
});

test('a cassette that a killed run left under another name is named where it is looked for', async () => {
  const lost = path.join(folder, 'lost.cassette');
  writeFileSync(`${lost}.partial`, whole);
  await expect(openCassette(lost)).rejects.toMatchObject({
    hint: `A run that was cut off has left ${lost}.partial: replay that, or move it before you record anew.`,
  });
});

test('a record is found wherever it stands, and a trial without one is none', () =>
  opened(async (cassette) => {
    for (const recorded of TRIALS) expect(await cassette.read(recorded)).toMatchObject(recorded);
    expect(await cassette.read({ scenario: 0, trial: 3 })).toBe(null);
  }));

test('a record that any byte was changed of is refused, its length and its checksums included', () =>
  opened(async (cassette) => {
    const [first, second] = places;
    if (first === undefined || second === undefined) throw new Error('Three records were made.');
    for (let offset = 0; offset < first.length; offset++) {
      const bytes = Uint8Array.from(whole);
      bytes[first.at + offset] = (bytes[first.at + offset] ?? 0) ^ (1 << (offset % 8));
      writeFileSync(file, bytes);
      await expect(cassette.read({ scenario: 0, trial: 2 })).rejects.toMatchObject(CHANGED);
      expect(await cassette.read({ scenario: 0, trial: 0 })).toMatchObject({ trial: 0 });
    }
  }));

test('a record that the file was cut in is refused', () =>
  opened(async (cassette) => {
    const last = places[2] ?? { at: 0, length: 0 };
    for (let kept = last.length - 1; kept >= 0; kept--) {
      truncateSync(file, last.at + kept);
      await expect(cassette.read({ scenario: 0, trial: 1 })).rejects.toMatchObject(CHANGED);
    }
  }));

test('a sound record of another trial or of another kind in its place is refused', () =>
  opened(async (cassette) => {
    const { at } = places[1] ?? { at: 0 };
    const [, own] = TRIALS;
    const others = [{ ...own, kind: 'trial', trial: 7 }, { ...own, kind: 'trial', part: 'judge' }, { kind: 'end' }];
    for (const other of others) {
      writeFileSync(file, Buffer.concat([whole.subarray(0, at), encodeFrame(other), whole]));
      await expect(cassette.read({ scenario: 0, trial: 0 })).rejects.toMatchObject(CHANGED);
    }
  }));
