import type { Issue, ProgressEvent } from '../public/types.ts';
import type { CommandSettings } from '../settings/setting-types.ts';
import type { Terminal } from './terminal.ts';

/** What a run is going to do, before it begins. */
export type Planned = Extract<ProgressEvent, { readonly kind: 'planned' }>;

/** Warns before a run of what will most likely leave it without a verdict. */
export function warnAhead(issues: readonly Issue[], terminal: Pick<Terminal, 'say'>): void {
  for (const { message, hint } of issues) terminal.say(`warning: ${message}${hint === undefined ? '' : ` ${hint}`}`);
}

type ModelSettings = Pick<CommandSettings, 'model' | 'live' | 'replay' | 'judges' | 'quiet'>;

/** Warns where `--model` names models that nobody asks: what passes then says nothing of them. */
export async function warnIdleModels(settings: ModelSettings, terminal: Pick<Terminal, 'say'>): Promise<void> {
  const { model = [], live, replay, quiet } = settings;
  if (model.length === 0 || live === true || replay !== undefined || quiet === true) return;
  const { parseModel } = await import('../public/suites.ts');
  warnAhead(
    idleModels(
      model.map((text) => parseModel(text)[0]),
      settings,
    ),
    terminal,
  );
}

/** These models, but for those that judges ask. */
export function idleModels(
  names: readonly string[],
  { judges = [] }: Pick<CommandSettings, 'judges'> = {},
): readonly Issue[] {
  const judging = new Set(judges.flatMap(({ models = [], splitter = [] }) => [...models, splitter].flat()));
  const idle = [...new Set(names)].filter((name) => !judging.has(name));
  if (idle.length === 0) return [];
  const what = idle.length === 1 ? `the model ${idle[0]}` : `the models ${idle.join(', ')}`;
  const message = `Nobody asks ${what} of --model in this run: without --live turns answer.`;
  return [{ code: 'idle_model', severity: 'warning', message, hint: '--live asks real models.' }];
}
