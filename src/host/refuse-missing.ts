import { PasskError } from '../errors.ts';
import type { Issue } from '../types/issue.ts';

/** Throws `USAGE` with each problem once, where there are any: what a run lacks is said at once, before it begins. */
export function refuseMissing(problems: ReadonlySet<string>): void {
  if (problems.size === 0) return;
  const issues = [...problems].map((message): Issue => ({ code: 'bad_option', severity: 'error', message }));
  throw new PasskError('USAGE', [...problems].join(' '), { issues });
}
