import { readdirSync, statSync } from 'node:fs';
import { didYouMean } from '../text/did-you-mean.ts';

/** Commands that other tools have, and what does the same here. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['replay', 'Recorded sessions are run with the contract that lists them: passk contract run FILE.'],
  ['report', 'passk open shows a JSON report, and passk history earlier runs.'],
  ['test', 'passk run runs scenarios and contracts, passk model check tests models.'],
  ['verify', 'passk validate checks files, passk release verify the record of a release.'],
]);

/**
 * A sentence that offers what a word stands for elsewhere, else the command, and the folder or file here, that it is close
 * to; null: it is close to none.
 */
export function meantBy(word: string, commands: readonly string[]): string | null {
  const elsewhere = ELSEWHERE.get(word);
  if (elsewhere !== undefined) return elsewhere;
  const command = didYouMean(word, commands);
  const file = didYouMean(word, readdirSync('.').sort());
  const meant = [...(command === null ? [] : [`the command "${command}"`]), ...(file === null ? [] : [named(file)])];
  return meant.length === 0 ? null : `Did you mean ${meant.join(' or ')}?`;
}

function named(file: string): string {
  const isFolder = statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return `the ${isFolder ? 'folder' : 'file'} "${file}"`;
}
