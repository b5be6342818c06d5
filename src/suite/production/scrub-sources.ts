import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { PasskError } from '../../errors.ts';
import { isAtOrBelow } from '../../values/at-or-below.ts';
import { fileProblem } from '../../values/file-problem.ts';

/** A file to scrub. */
interface Source {
  readonly file: string;
  /** From the folder or file that was named. */
  readonly name: string;
}

/** What is scrubbed, and what of folders is no file. */
interface Sources {
  readonly sources: readonly Source[];
  readonly leftOut: readonly string[];
}

/** Files, and those of folders, but for what lies below `out`. Throws `PasskError` for what is not there or holds no file. */
export async function scrubSources(
  paths: readonly string[],
  { cwd, out }: { readonly cwd: string; readonly out: string | undefined },
): Promise<Sources> {
  const sources: Source[] = [];
  const leftOut: string[] = [];
  // What is written is no input, also where it is below a folder that is.
  const isOutput = (place: string): boolean => out !== undefined && isAtOrBelow(place, path.resolve(cwd, out));
  for (const named of paths) {
    const place = path.resolve(cwd, named);
    const stats = await stat(place).catch((cause: unknown) => {
      throw new PasskError('INPUT', `${named} cannot be read: ${fileProblem(cause)}.`, { cause });
    });
    if (!stats.isDirectory()) {
      sources.push({ file: named, name: path.basename(named) });
      continue;
    }
    const before = sources.length;
    const entries = (await readdir(place, { recursive: true, withFileTypes: true }))
      .map((entry) => ({ entry, real: path.join(entry.parentPath, entry.name) }))
      .filter(({ entry, real }) => !entry.isDirectory() && !isOutput(real))
      .sort((a, b) => (a.real < b.real ? -1 : 1));
    for (const { entry, real } of entries) {
      const inside = path.relative(place, real);
      // Links may lead anywhere, and a pipe may never end.
      if (entry.isFile()) sources.push({ file: path.join(named, inside), name: inside });
      else leftOut.push(path.join(named, inside));
    }
    // Of nothing that was read nobody may say that nothing was found.
    if (sources.length === before) {
      throw new PasskError('INPUT', `${named} holds no file.`, {
        hint: 'Name the folder in which the files are; links in it are left out.',
      });
    }
  }
  return { sources, leftOut };
}
