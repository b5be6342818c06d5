import type { Issue } from '../types/issue.ts';

/** The same for problems that say the same of the same place. */
export function issueKey({ code, message, at }: Issue): string {
  return JSON.stringify([code, message, at?.file, at?.line, at?.column]);
}
