import { codeOf, fileProblem } from '../values/file-problem.ts';

/** Why something could not be written, for the end of a sentence: without a full stop. */
export function messageOf(error: unknown): string {
  return codeOf(error) === 'ENOENT' ? 'the folder does not exist' : fileProblem(error);
}
