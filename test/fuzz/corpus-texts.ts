import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file of the corpus. */
export interface CorpusText {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
}

const CORPUS = fileURLToPath(new URL('../../corpus', import.meta.url));

/** All TOML files of the corpus in order, or those of one of its folders. */
export function corpusTexts(folder = ''): readonly CorpusText[] {
  return readdirSync(path.join(CORPUS, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.toml'))
    .sort()
    .map((name) => {
      const file = path.join(CORPUS, folder, name);
      return { path: file, text: readFileSync(file, 'utf8') };
    });
}
