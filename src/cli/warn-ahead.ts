import type { Issue, ProgressEvent } from '../public/types.ts';
import type { Terminal } from './terminal.ts';

/** What a run is going to do, before it begins. */
export type Planned = Extract<ProgressEvent, { readonly kind: 'planned' }>;

/** Warns before a run of what will most likely leave it without a verdict. */
export function warnAhead(issues: readonly Issue[], terminal: Terminal): void {
  for (const { message, hint } of issues) terminal.say(`warning: ${message}${hint === undefined ? '' : ` ${hint}`}`);
}
