import type { FailureReport } from '../../types/scenarios/failure-report.ts';
import { plainText } from '../plain-text.ts';

/** How a trial ended, in one line; null when it did not end. `completed` alone would hide that no edge led on. */
export function endingText({ status, stoppedBy, path }: FailureReport): string | null {
  if (status === null) return null;
  const why = stoppedBy === 'dead_end' ? NO_EDGE : stoppedBy === 'loop_spent' ? USED_UP : null;
  if (why === null) return status;
  const at = path.at(-1);
  return `${status}, ${stoppedBy}${at === undefined ? '' : ` at ${plainText(at, 80)}`}: ${why}`;
}

const NO_EDGE = 'no edge answers its branch';
const USED_UP = 'only used-up loop edges answer its branch';
