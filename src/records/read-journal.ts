import { PasskError } from '../errors.ts';
import type { Delta } from '../types/delta.ts';
import { type FileLayer, nodeFiles } from './file-layer.ts';
import type { FrameEnd } from './frame.ts';
import { deltaOf } from './journal.ts';
import { type JournalHead, readJournalHead } from './journal-head.ts';
import { firstValue, framesIn, isFrame, withFile } from './record-file.ts';

/** A journal that is looked at and not continued: nothing is locked, cut off or written. */
export interface JournalContent {
  readonly head: JournalHead;
  /** Its results, up to the first damage. May be read once. */
  results(): AsyncGenerator<Delta, JournalEnd, undefined>;
}

export interface JournalEnd {
  /** True: the run came to its end. */
  readonly isFinished: boolean;
  readonly frames: FrameEnd;
}

/** Opens a journal to be looked at. Throws `INPUT` where it cannot be read or is none. */
export async function readJournal(file: string, files: FileLayer = nodeFiles): Promise<JournalContent> {
  const reading = <T>(action: () => Promise<T>): Promise<T> =>
    withFile(action, (reason, cause) => new PasskError('INPUT', `${file} cannot be read: ${reason}.`, { cause }));
  const head = readJournalHead(await reading(() => firstValue(files.read(file))), file);
  return {
    head,
    async *results() {
      const frames = framesIn(files.read(file));
      let isHead = true;
      let isFinished = false;
      try {
        for (;;) {
          const next = await reading(() => frames.next());
          if (next.done === true) return { isFinished, frames: next.value };
          const { value } = next.value;
          if (isHead) isHead = false;
          else if (isFrame(value, 'end')) isFinished = true;
          else if (!isFrame(value, 'live')) yield deltaOf(value, file);
        }
      } finally {
        await frames.return({ kind: 'torn', at: 0 });
      }
    },
  };
}
