import path from 'node:path';
import { PasskError } from '../errors.ts';
import { fileProblem } from '../values/file-problem.ts';
import { unreadableHint } from '../source/missing-path.ts';

/** What to throw for a file that the system does not let us read. `name`: as it is shown. */
export function unreadable(file: string, name: string, cause: unknown): PasskError {
  const hint = unreadableHint(cause, path.resolve(file), { shown: name, otherwise: 'Check its permissions.' });
  return new PasskError('INPUT', `${name} cannot be read: ${fileProblem(cause)}.`, { hint, cause });
}
