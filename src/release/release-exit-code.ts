import type { EvalResult } from '../types/release/eval-result.ts';

/** The exit code of a release: 0 passed, 1 failed, 3 not enough evidence. */
export function releaseExitCode({ body }: EvalResult): 0 | 1 | 3 {
  return body.verdict === 'pass' ? 0 : body.verdict === 'fail' ? 1 : 3;
}
