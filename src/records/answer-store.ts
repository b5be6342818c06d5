import { open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { PasskError } from '../errors.ts';
import { Type } from '../source/schema-type.ts';
import type { Json } from '../types/json.ts';
import { exactJsonText, readExactJson } from '../values/exact-json.ts';
import { type FileLayer, nodeFiles } from './file-layer.ts';
import { codeOf } from '../values/file-problem.ts';
import { encodeFrame, type FramePlace } from './frame.ts';
import { FrameAppender, framesIn, valueAt, withFile } from './record-file.ts';
import { encodeHead, readHead, type RecordFormat } from './record-head.ts';
import { RECORD_WORDS } from './record-kind.ts';
import { shaped } from './shaped.ts';

/** Answers of real models that runs left in a folder for later ones. Each run that has new ones writes a file of its own. */
export interface AnswerStore {
  /** What an earlier run kept; undefined: nothing. What this run keeps is not found by it. */
  find(key: string): Promise<Json | undefined>;
  /** Resolves when the system has the bytes. Throws `OUTPUT` when they cannot be written. */
  keep(key: string, answer: Json): Promise<void>;
  close(): Promise<void>;
}

const ANSWERS: RecordFormat = {
  kind: RECORD_WORDS.answers,
  noun: 'a file of answers',
  format: 1,
  schema: Type.Object({}),
};
const frameSchema = Type.Object({ kind: Type.Literal('answer'), key: Type.String(), answer: Type.String() });
const SUFFIX = '.answers';
/** Answers are private: only the user may read them. */
const OWNER_ONLY = 0o600;

interface Place extends FramePlace {
  readonly file: string;
}

interface AnswerFrame {
  readonly key: string;
  /** As exact JSON. */
  readonly answer: string;
}

/**
 * Opens the answers of a folder, which is made where there is none. Memory holds their places, not the answers. What a
 * killed run wrote is read as far as it goes; files of other formats are passed over. Throws `INPUT` where a file cannot be
 * read.
 */
export async function openAnswerStore(folder: string, files: FileLayer = nodeFiles): Promise<AnswerStore> {
  const places = await survey(folder, files);
  let opened: Promise<OpenFile> | null = null;
  return {
    async find(key) {
      const place = places.get(key);
      if (place === undefined) return undefined;
      const frame = await reading(folder, () => frameAt(place));
      return frame?.key === key ? (readExactJson(frame.answer) as Json) : undefined;
    },
    keep: (key, answer) =>
      writing(folder, async () => {
        opened ??= create(folder, files);
        const { frames } = await opened;
        await frames.append(encodeFrame({ kind: 'answer', key, answer: exactJsonText(answer) }));
      }),
    async close() {
      const file = await opened?.catch(() => null);
      await file?.close();
    },
  };
}

interface OpenFile {
  readonly frames: FrameAppender;
  close(): Promise<void>;
}

/** A file that no other run writes, however many run at a time. */
async function create(folder: string, files: FileLayer): Promise<OpenFile> {
  await files.makeFolder(folder);
  for (let number = 1; ; number++) {
    const file = path.join(folder, `${number}${SUFFIX}`);
    try {
      const target = await files.open(file, 'wx', OWNER_ONLY);
      const frames = new FrameAppender(file, target, files);
      await frames.append(encodeHead(ANSWERS, {}));
      return { frames, close: () => target.close() };
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
  }
}

async function survey(folder: string, files: FileLayer): Promise<ReadonlyMap<string, Place>> {
  const places = new Map<string, Place>();
  for (const name of await namesIn(folder)) {
    const file = path.join(folder, name);
    await reading(folder, async () => {
      let isHead = true;
      for await (const { value, at, length } of framesIn(files.read(file))) {
        if (isHead && typeof readHead(ANSWERS, value) === 'string') return;
        isHead = false;
        const frame = shaped<AnswerFrame>(value, frameSchema);
        if (frame !== null) places.set(frame.key, { file, at, length });
      }
    });
  }
  return places;
}

/** In the order in which runs began them, so that of two answers to one request the later one counts. */
async function namesIn(folder: string): Promise<readonly string[]> {
  const names = await reading(folder, async () => {
    try {
      return await readdir(folder);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return [];
      throw error;
    }
  });
  const numberOf = (name: string): number => Number(name.slice(0, -SUFFIX.length));
  return names.filter((name) => /^\d+\.answers$/.test(name)).sort((a, b) => numberOf(a) - numberOf(b));
}

/** Null where somebody has emptied the folder meanwhile. */
async function frameAt(place: Place): Promise<AnswerFrame | null> {
  const handle = await open(place.file, 'r').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  });
  if (handle === null) return null;
  try {
    return shaped<AnswerFrame>(valueAt(handle, place), frameSchema);
  } finally {
    await handle.close();
  }
}

function reading<T>(folder: string, action: () => Promise<T>): Promise<T> {
  return withFile(
    action,
    (reason, cause) =>
      new PasskError('INPUT', `The cache ${folder} cannot be read: ${reason}.`, {
        hint: 'Name a folder with --cache that passk may make, or leave it out.',
        cause,
      }),
  );
}

function writing<T>(folder: string, action: () => Promise<T>): Promise<T> {
  return withFile(
    action,
    (reason, cause) =>
      new PasskError('OUTPUT', `Answers cannot be written to the cache ${folder}: ${reason}.`, { cause }),
  );
}
