import process from 'node:process';
import { readPlain } from '../records/open-plain.ts';
import { fileProblem } from '../values/file-problem.ts';
import { RELEASE_KEY } from './apply-settings.ts';

/** The private key that a command signs with, from a file or the environment. Rejects with `USAGE` where there is none. */
export async function keyText(file: string | undefined): Promise<string> {
  if (file !== undefined) return textOf(file);
  const { PasskError } = await import('../public/suites.ts');
  const text = process.env[RELEASE_KEY];
  if (text !== undefined && text !== '') return text;
  throw new PasskError('USAGE', 'There is no key to sign with.', {
    hint: 'Make one with: passk release keygen --out release.key. Then give --key release.key.',
  });
}

/** The text of a file of keys. Rejects with `INPUT` for one that cannot be read. */
export async function textOf(file: string): Promise<string> {
  const { PasskError } = await import('../public/suites.ts');
  try {
    return Buffer.from(await readPlain(file)).toString('utf8');
  } catch (cause) {
    throw new PasskError('INPUT', `${file} cannot be read: ${fileProblem(cause)}.`, { cause });
  }
}
