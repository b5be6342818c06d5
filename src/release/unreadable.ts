import path from 'node:path';
import { PasskError } from '../errors.ts';
import { fileProblem } from '../values/file-problem.ts';
import { accessHint } from '../source/missing-path.ts';

/** What to throw for a file that the system does not let us read. `name`: as it is shown. */
export function unreadable(file: string, name: string, cause: unknown): PasskError {
  const hint = accessHint(cause, path.resolve(file), name);
  return new PasskError('INPUT', `${name} cannot be read: ${fileProblem(cause)}.`, { hint, cause });
}
