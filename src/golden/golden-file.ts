import { firstNames } from '../text/first-names.ts';
import { createHash } from 'node:crypto';
import path from 'node:path';
import { readBaseline } from '../baseline/read-baseline.ts';
import { PasskError } from '../errors.ts';
import { fileProblem } from '../values/file-problem.ts';
import { readPlain } from '../records/open-plain.ts';
import { writeFileWhole } from '../records/write-file-whole.ts';
import { readDocument } from '../release/record-files.ts';
import { GOLDEN_SCHEMA, type GoldenFile, type GoldenSet } from '../types/golden/golden-set.ts';

/** Names that a message lists. */
const MOST_NAMED = 20;

/** A golden set before it is written. */
export type UnsealedGolden = Omit<GoldenSet, 'seal'>;

/** A golden set as it was read. */
export interface ReadGolden {
  readonly set: GoldenSet;
  /** SHA-256 of its file. */
  readonly pin: string;
  /** Absolute: the folder that its files are named from. */
  readonly folder: string;
}

/**
 * Reads a golden set. Throws `INPUT` for what is none, one that was edited, and one that names files elsewhere. `name`: as it is
 * shown.
 */
export async function readGolden(file: string, name: string): Promise<ReadGolden> {
  const document = { schema: GOLDEN_SCHEMA, document: 'golden', noun: 'golden set' } as const;
  const set = (await readDocument(file, name, document)) as unknown as GoldenSet;
  if (hashOfFiles(set.files) !== set.hash) {
    throw new PasskError('INPUT', `${name} was edited: its files do not have its hash.`, { hint: ANEW });
  }
  const astray = set.files.find((one) => isElsewhere(one.name));
  if (astray !== undefined) {
    throw new PasskError('INPUT', `${name} names a file outside of its folder: ${astray.name}.`, { hint: ANEW });
  }
  if (set.runs.length === 0) throw new PasskError('INPUT', `${name} holds no run.`, { hint: ANEW });
  // Its numbers may contradict each other.
  for (const { baseline } of set.runs) readBaseline(Buffer.from(JSON.stringify(baseline)), name);
  const { seal, ...rest } = set;
  if (seal !== sealOf(rest)) {
    throw new PasskError('INPUT', `${name} was edited: it does not hold what passk wrote.`, { hint: ANEW });
  }
  return { set, pin: sha256(await readPlain(file)), folder: path.dirname(file) };
}

const ANEW = 'Put it back as it was, or make it anew: passk golden pin, and passk golden run for a candidate.';

/** Throws `INPUT` with the files of a set that are not what was pinned. */
export async function requireUnchanged({ set, folder }: ReadGolden, name: string): Promise<void> {
  const wrong: string[] = [];
  for (const { name: file, sha256: pinned } of set.files) {
    const bytes = await readPlain(path.join(folder, file)).catch(() => null);
    if (bytes === null) wrong.push(`${file} (cannot be read)`);
    else if (sha256(bytes) !== pinned) wrong.push(file);
  }
  if (wrong.length === 0) return;
  const what = wrong.length === 1 ? '1 file is' : `${wrong.length} files are`;
  throw new PasskError('INPUT', `${what} not what ${name} pins: ${firstNames(wrong, MOST_NAMED)}.`, { hint: ANEW });
}

/** Writes a golden set with its seal, whole or not at all. */
export async function writeGolden(file: string, set: UnsealedGolden, name: string): Promise<GoldenSet> {
  const sealed = { ...set, seal: sealOf(set) };
  try {
    await writeFileWhole(file, Buffer.from(`${JSON.stringify(sealed, null, 1)}\n`));
    return sealed;
  } catch (cause) {
    throw new PasskError('OUTPUT', `${name} cannot be written: ${fileProblem(cause)}.`, { cause });
  }
}

/** Beside a golden set: the runs of the candidate that was tried last. */
export function candidateFile(file: string): string {
  const { dir, name } = path.parse(file);
  return path.join(dir, `${name}.candidate.json`);
}

/** True: a name that leads out of the folder of the set. */
export function isElsewhere(name: string): boolean {
  return path.isAbsolute(name) || /^[A-Za-z]:/.test(name) || name.split(/[/\\]/).includes('..') || name.includes('\0');
}

export function hashOfFiles(files: readonly GoldenFile[]): string {
  return sha256(Buffer.from(JSON.stringify(files.map(({ name, sha256: hash, kind }) => [name, hash, kind]))));
}

/** Numbers and texts as a file has them, whatever the blanks between. */
function sealOf(set: UnsealedGolden): string {
  return sha256(Buffer.from(JSON.stringify(set)));
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
