import { open } from 'node:fs/promises';
import path from 'node:path';
import { PasskError } from '../errors.ts';
import { CASSETTE_HINT, type CassetteHead, draftOf, readCassetteHead } from './cassette-head.ts';
import type { RecordedTrial } from './cassette-writer.ts';
import { nodeFiles } from './file-layer.ts';
import type { CassettePlace } from '../types/cassette.ts';
import { unreadableHint } from '../source/missing-path.ts';
import { kindOf } from '../source/scan-folder.ts';
import type { FoundFrame, FrameEnd, FramePlace } from './frame.ts';
import { eachFrame, firstValue, isFrame, valueAt, withFile } from './record-file.ts';
import { cassetteTrialSchema } from './run-file.schema.ts';
import { shaped } from './shaped.ts';

/** A cassette to replay. Memory holds the places of its records, not the records. */
export interface CassetteReader {
  readonly head: CassetteHead;
  /** `complete`: nothing is missing; `cut`: its run did not end; else what is wrong with its end. */
  readonly end: 'complete' | 'cut' | 'torn' | 'corrupt';
  /** Null: nothing was recorded of this trial. Throws `INPUT` when the file has changed meanwhile. */
  read(place: CassettePlace): Promise<RecordedTrial | null>;
  close(): Promise<void>;
}

/** Reads the head alone. Throws `INPUT` when the file cannot be read or is no cassette. */
export async function readHeadOf(file: string): Promise<CassetteHead> {
  return readCassetteHead(await reading(file, () => firstValue(nodeFiles.read(file))), file);
}

/** Opens a cassette and finds its records, in any order; of several of one trial the last one counts. */
export async function openCassette(file: string): Promise<CassetteReader> {
  const { head, places, end } = await reading(file, () => survey(file));
  const handle = await reading(file, () => open(file, 'r'));
  return {
    head,
    end,
    read: async (place) => {
      const { scenario, trial, part } = place;
      const frame = places.get(scenario)?.get(trialKey(place));
      if (frame === undefined) return null;
      const found = trialOf(await reading(file, async () => valueAt(handle, frame)));
      if (found?.scenario === scenario && found.trial === trial && found.part === part) return found;
      throw new PasskError('INPUT', `The cassette ${file} has changed while it was read.`);
    },
    close: () => handle.close(),
  };
}

/** By scenario, then by trial. */
type Places = Map<number, Map<number, FramePlace>>;

/** What judges said of a trial is half a trial further on. */
function trialKey({ trial, part }: CassettePlace): number {
  return part === 'judge' ? trial + 0.5 : trial;
}

async function survey(
  file: string,
): Promise<{ readonly head: CassetteHead; readonly places: Places; readonly end: CassetteReader['end'] }> {
  const places: Places = new Map();
  let head: CassetteHead | null = null;
  let last: unknown;
  const end = await eachFrame(nodeFiles.read(file), (found) => {
    last = found.value;
    if (head === null) head = readCassetteHead(last, file);
    else note(found, places);
  });
  return { head: head ?? readCassetteHead(undefined, file), places, end: endOf(end, last) };
}

function note({ value, at, length }: FoundFrame, places: Places): void {
  const found = trialOf(value);
  if (found === null) return;
  const { scenario } = found;
  const ofScenario = places.get(scenario) ?? new Map<number, FramePlace>();
  places.set(scenario, ofScenario.set(trialKey(found), { at, length }));
}

function endOf({ kind }: FrameEnd, last: unknown): CassetteReader['end'] {
  if (kind !== 'complete') return kind;
  return isFrame(last, 'end') ? 'complete' : 'cut';
}

function trialOf(value: unknown): RecordedTrial | null {
  const found = shaped<RecordedTrial>(value, cassetteTrialSchema);
  return found?.tape instanceof Uint8Array ? found : null;
}

function reading<T>(file: string, action: () => Promise<T>): Promise<T> {
  return withFile(
    action,
    (reason, cause) =>
      new PasskError('INPUT', `The cassette ${file} cannot be read: ${reason}.`, {
        hint: draftHint(file) ?? unreadableHint(cause, path.resolve(file), { shown: file, otherwise: CASSETTE_HINT }),
        cause,
      }),
  );
}

/** What a run that was killed has left beside the place of its cassette may be replayed as well; null: nothing is there. */
function draftHint(file: string): string | null {
  const draft = draftOf(file);
  const isLeft = kindOf(path.resolve(file)) === 'nothing' && kindOf(path.resolve(draft)) === 'file';
  return isLeft ? `A run that was cut off has left ${draft}: replay that, or move it before you record anew.` : null;
}
