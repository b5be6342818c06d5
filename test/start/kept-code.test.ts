import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { aGreeting, runPassk } from '../cli/run-passk.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const KEPT = `${process.version}-${process.arch}.bin`;

let root: string;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'passk-kept-'));
  cpSync(path.join(ROOT, 'dist', 'bin'), path.join(root, 'dist', 'bin'), {
    recursive: true,
    filter: (file) => path.basename(file) !== 'compiled',
  });
  cpSync(path.join(ROOT, 'package.json'), path.join(root, 'package.json'));
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(root, 'node_modules'));
  writeFileSync(path.join(root, 'greeting.toml'), aGreeting({ trials: 50 }));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

test('what was compiled is kept beside the code, and later starts take it without keeping it again', async () => {
  const first = await passk();
  const early = keptFile();
  for (let start = 1; start < 4; start++) expect(await passk()).toEqual(first);
  const kept = keptFile();
  expect([first.status, kept.ino === early.ino]).toEqual([0, false]);
  expect(await passk()).toEqual(first);
  expect(keptFile()).toEqual(kept);
  expect(readdirSync(folder())).toEqual([KEPT]);
  // Taken, not just tolerated: what is compiled of functions that ran is in no first compilation.
  expect(rejectedBy(kept.bytes)).toEqual({ chunks: expect.any(Number), rejected: 0 });
  expect(rejectedBy(kept.bytes).chunks).toBeGreaterThan(3);
});

test('a command that comes after many others has what it needs kept as if it had come first', async () => {
  for (let start = 0; start < 4; start++) await passk();
  const alone = sizeOfPlainRun();
  rmSync(folder(), { recursive: true });
  for (let start = 0; start < 6; start++) await needsMore();
  const before = sizeOfPlainRun();
  for (let start = 0; start < 4; start++) await passk();
  // The same functions come out in slightly different sizes.
  expect(before).toBeLessThan(0.9 * alone);
  expect(sizeOfPlainRun()).toBeGreaterThan(0.98 * alone);
  const kept = keptFile();
  await passk();
  await needsMore();
  expect(keptFile()).toEqual(kept);
});

test('commands of more than sixteen kinds add nothing any more, and those of another build count for nothing', async () => {
  await passk();
  const file = path.join(folder(), KEPT);
  const { bytes } = keptFile();
  const head = headOf(bytes);
  const kinds = Object.fromEntries(Array.from({ length: 16 }, (_, kind) => [`kind ${kind}`, 4]));
  writeFileSync(file, withHead(bytes, { ...head, starts: kinds }));
  const full = keptFile();
  await passk();
  expect(keptFile()).toEqual(full);
  const parts = head.parts.map(({ name, ...part }) => ({ ...part, name: name.replace('app-', 'app-other-') }));
  writeFileSync(file, withHead(bytes, { starts: kinds, parts }));
  for (let start = 0; start < 3; start++) await passk();
  expect(Object.values(headOf(keptFile().bytes).starts)).toEqual([2]);
  expect(namesIn(keptFile().bytes)).toEqual(head.parts.map(({ name }) => name));
});

test('what a long run has compiled makes room for what short ones compile, and is never kept in its place', async () => {
  await longRun();
  expect(plainParts()).toEqual(plainParts().map(() => ({ isHot: true, isThere: true })));
  await passk();
  expect(plainParts()).toEqual(plainParts().map(() => ({ isHot: false, isThere: false })));
  await longRun();
  expect(plainParts()).toEqual(plainParts().map(() => ({ isHot: false, isThere: false })));
  await passk();
  expect(plainParts()).toEqual(plainParts().map(() => ({ isHot: false, isThere: true })));
  const kept = keptFile();
  await longRun();
  expect(keptFile()).toEqual(kept);
});

test('another command adds what it needs and keeps the rest', async () => {
  await passk();
  const before = namesIn(keptFile().bytes);
  await needsMore();
  const names = namesIn(keptFile().bytes);
  expect(names).toEqual(expect.arrayContaining([...before]));
  expect(names.length).toBeGreaterThan(before.length);
});

test('nothing is kept where that is turned off, with flags of V8, and where the folder cannot be made', async () => {
  const expected = await passk({ NODE_DISABLE_COMPILE_CACHE: '1' });
  expect(readdirSync(path.join(root, 'dist', 'bin'))).not.toContain('compiled');
  expect(await passk({ NODE_OPTIONS: '--stack-trace-limit=5' })).toEqual(expected);
  expect(readdirSync(path.join(root, 'dist', 'bin'))).not.toContain('compiled');
  writeFileSync(folder(), 'in the way');
  expect(await passk()).toEqual(expected);
  expect(readFileSync(folder(), 'utf8')).toBe('in the way');
});

test.each([
  ['is cut short', (bytes: Buffer) => bytes.subarray(0, bytes.length >> 1)],
  ['is empty', () => Buffer.alloc(0)],
  ['is no such file', () => Buffer.from('something else altogether')],
  ['is of another V8', (bytes: Buffer) => otherVersion(bytes)],
])('a kept file that %s is replaced, and the run is as ever', async (_, spoil) => {
  const first = await passk();
  const { bytes } = keptFile();
  writeFileSync(path.join(folder(), KEPT), spoil(bytes));
  expect(await passk()).toEqual(first);
  expect(namesIn(keptFile().bytes)).toEqual(namesIn(bytes));
  expect(rejectedBy(keptFile().bytes).rejected).toBe(0);
});

test('starts at the same time leave one whole file', async () => {
  const all = await Promise.all(Array.from({ length: 6 }, () => passk()));
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set([0]));
  expect(readdirSync(folder())).toEqual([KEPT]);
  expect(rejectedBy(keptFile().bytes).rejected).toBe(0);
});

test('files of versions that are not used any more do not pile up', async () => {
  await passk();
  const { bytes } = keptFile();
  for (let i = 0; i < 9; i++) writeFileSync(path.join(folder(), `v1.0.${i}-x64.bin`), bytes);
  await needsMore();
  expect(readdirSync(folder())).toHaveLength(4);
  expect(readdirSync(folder())).toContain(KEPT);
});

/** The report, and how the command ended; what differs from run to run left out. */
async function passk(env: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = await runPassk(['run', 'greeting.toml', '--json'], {
    cwd: root,
    env,
    command: command(),
  });
  const report = JSON.parse(stdout) as { readonly timing?: unknown };
  return { status, stderr, report: { ...report, timing: null } };
}

/** Seconds of work: far longer than a start takes on any machine. */
async function longRun(): Promise<void> {
  const { status } = await runPassk(['run', 'greeting.toml', '--workers', '0', '--trials', '20000000'], {
    cwd: root,
    command: command(),
  });
  expect(status).toBe(0);
}

function plainParts() {
  const parts = headOf(keptFile().bytes).parts.filter(({ name }) => PLAIN.test(name));
  expect(parts.length).toBeGreaterThan(2);
  return parts.map(({ isHot, length }) => ({ isHot, isThere: length > 0 }));
}

/** Contracts in YAML have a parser of their own. */
async function needsMore(): Promise<void> {
  writeFileSync(path.join(root, 'contract.yaml'), 'version: "1.1"\n');
  const { status, stdout } = await runPassk(['validate', 'contract.yaml'], { cwd: root, command: command() });
  expect([status, stdout]).toEqual([2, expect.stringContaining('contract.yaml')]);
}

function command(): string {
  return path.join(root, 'dist', 'bin', 'passk.cjs');
}

function folder(): string {
  return path.join(root, 'dist', 'bin', 'compiled');
}

function keptFile() {
  const file = path.join(folder(), KEPT);
  const { ino, mtimeMs } = statSync(file);
  return { ino, mtimeMs, bytes: readFileSync(file) };
}

interface Head {
  readonly starts: Readonly<Record<string, number>>;
  readonly parts: readonly { readonly name: string; readonly length: number; readonly isHot: boolean }[];
}

function headOf(bytes: Buffer): Head {
  return JSON.parse(bytes.toString('latin1', 4, 4 + bytes.readUInt32LE(0))) as Head;
}

function withHead(bytes: Buffer, head: Head): Buffer {
  const text = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  return Buffer.concat([length, text, bytes.subarray(4 + bytes.readUInt32LE(0))]);
}

interface Entry {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

function entriesOf(bytes: Buffer): readonly Entry[] {
  let end = 4 + bytes.readUInt32LE(0);
  return headOf(bytes).parts.map(({ name, length }) => {
    const start = end;
    end += length;
    return { name, start, end };
  });
}

/** How much is kept of all files that a plain run opens. */
function sizeOfPlainRun(): number {
  const parts = headOf(keptFile().bytes).parts.filter(({ name }) => PLAIN.test(name));
  return parts.reduce((sum, { length }) => sum + length, 0);
}

const PLAIN = /^app-(command|library)-/;

function namesIn(bytes: Buffer): readonly string[] {
  return entriesOf(bytes).map(({ name }) => name);
}

/** V8's own word for each chunk, in a process without flags: Vitest's workers have some. */
function rejectedBy(bytes: Buffer): { readonly chunks: number; readonly rejected: number } {
  const file = path.join(root, 'judged.bin');
  writeFileSync(file, bytes);
  const program = `
    const { readFileSync } = require('node:fs');
    const { Script } = require('node:vm');
    const bytes = readFileSync(${JSON.stringify(file)});
    const entries = ${JSON.stringify(entriesOf(bytes))};
    const rejected = entries.filter(({ name, start, end }) => {
      const filename = ${JSON.stringify(path.join(root, 'dist', 'bin'))} + '/' + name;
      const source = readFileSync(filename, 'latin1');
      return new Script(source, { filename, cachedData: bytes.subarray(start, end) }).cachedDataRejected;
    });
    console.log(JSON.stringify({ chunks: entries.length, rejected: rejected.length }));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--eval', program], { encoding: 'utf8', env: {} });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as { readonly chunks: number; readonly rejected: number };
}

/** As if another V8 had made it: its second word is a digest of the version. */
function otherVersion(bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  for (const { start } of entriesOf(bytes)) changed.writeUInt32LE(0, start + 4);
  return changed;
}
