import type { Issue, ProgressEvent } from '../public/types.ts';
import type { CommandSettings } from '../settings/setting-types.ts';
import type { Terminal } from './terminal.ts';

/** What a run is going to do, before it begins. */
export type Planned = Extract<ProgressEvent, { readonly kind: 'planned' }>;

/** Warns before a run of what will most likely leave it without a verdict. */
export function warnAhead(issues: readonly Issue[], terminal: Terminal): void {
  for (const { message, hint } of issues) terminal.say(`warning: ${message}${hint === undefined ? '' : ` ${hint}`}`);
}

/** A warning where the command line names models that nobody asks, by these names: what passes then says nothing of them. */
export function idleModels(
  names: readonly string[],
  { live, replay, judges = [] }: Pick<CommandSettings, 'live' | 'replay' | 'judges'>,
): readonly Issue[] {
  if (live === true || replay !== undefined) return [];
  const judging = new Set(judges.flatMap(({ models = [], splitter = [] }) => [...models, splitter].flat()));
  const idle = [...new Set(names)].filter((name) => !judging.has(name));
  if (idle.length === 0) return [];
  const what = idle.length === 1 ? `the model ${idle[0]}` : `the models ${idle.join(', ')}`;
  const message = `Nobody asks ${what} of --model in this run: without --live turns answer.`;
  return [{ code: 'idle_model', severity: 'warning', message, hint: '--live asks real models.' }];
}
