import type { Issue } from '../public/types.ts';
import type { Terminal } from './terminal.ts';

/** Warns before a run of what will most likely leave it without a verdict. */
export function warnAhead(issues: readonly Issue[], terminal: Terminal): void {
  for (const { message, hint } of issues) terminal.say(`warning: ${message}${hint === undefined ? '' : ` ${hint}`}`);
}
