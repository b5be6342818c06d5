import { PasskError } from '../errors.ts';
import { writeFileWhole } from '../records/write-file-whole.ts';

/** Writes files one after the other, each whole: a document stands only with what it rests on, and a log names only what stands. */
export async function writeSigned(files: readonly (readonly [file: string, text: string])[]): Promise<void> {
  for (const [file, text] of files) {
    try {
      await writeFileWhole(file, Buffer.from(text));
    } catch (cause) {
      throw new PasskError('OUTPUT', `${file} cannot be written.`, { cause });
    }
  }
}
