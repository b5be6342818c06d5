import { readdirSync, statSync } from 'node:fs';
import { didYouMean } from '../text/did-you-mean.ts';

/** A question that offers the command, and the folder or file here, that a word is close to; null: it is close to none. */
export function meantBy(word: string, commands: readonly string[]): string | null {
  const command = didYouMean(word, commands);
  const file = didYouMean(word, readdirSync('.').sort());
  const meant = [...(command === null ? [] : [`the command "${command}"`]), ...(file === null ? [] : [named(file)])];
  return meant.length === 0 ? null : `Did you mean ${meant.join(' or ')}?`;
}

function named(file: string): string {
  const isFolder = statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return `the ${isFolder ? 'folder' : 'file'} "${file}"`;
}
