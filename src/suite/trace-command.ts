import type { ScenarioPlan } from '../types/plan.ts';
import type { Scenario } from '../types/scenario.ts';
import { isRecord } from '../values/is-json.ts';
import { MEMORY } from '../values/name-from-root.ts';
import { fileWord, shellWord } from '../values/shell-word.ts';
import type { ResolvedRunOptions } from '../settings/options.ts';
import { priceWord, tokenPriceIn } from './plan/plan-prices.ts';
import { plannerOf } from './plan/subject-planners.ts';
import type { Setting, Table } from '../settings/setting.ts';
import { flagName } from '../settings/setting-names.ts';
import { factsOf, isOneOfSeveral, runsCommands, usesProcessCode } from '../types/subjects.ts';

/**
 * The command that shows one trial of this run step by step, with every option that decides its answers; for a scenario
 * made in memory, the call that does. Where trials run decides none, and is added for readers by `placeReport`. Null:
 * nothing shows it, for models would answer otherwise the next time, an agent is out of reach, or the answers came from
 * functions of a program.
 */
export function traceCommand(plan: ScenarioPlan, trial: number, options: ResolvedRunOptions): string | null {
  const { scenario, cassette } = plan;
  if ((plan.liveEndpoints !== undefined || plan.judges !== undefined) && cassette === undefined) return null;
  if (isOutOfReach(plan) && cassette === undefined) return null;
  if (plannerOf(scenario).isTraceable?.(scenario) === false) return null;
  if (scenario.file === MEMORY) return traceCall(plan, trial, options);
  const words = ['passk', 'trace', fileWord(scenario.file)];
  if (isPart(scenario)) {
    words.push('--part', shellWord(scenario.namesInFile?.scenario ?? scenario.name));
  }
  words.push('--trial', String(trial));
  if (scenario.seed === null && !factsOf(scenario.subject).isRecorded) words.push('--seed', String(options.seed));
  words.push(...flagsBesides(plan, options));
  return words.join(' ');
}

/** What decides a trial's answers besides scenario, trial and seed, as flags. */
function flagsBesides(plan: ScenarioPlan, options: ResolvedRunOptions): readonly string[] {
  const { scenario, cassette } = plan;
  const words: string[] = [];
  if (scenario.sampler === null && plan.sampler !== 'seeded') words.push('--sampler', plan.sampler);
  const price = tokenPriceIn(scenario);
  if (price !== null) words.push('--price', priceWord(price));
  if (options.timeoutMs !== null) words.push('--timeout', String(options.timeoutMs));
  if (scenario.generated !== undefined && options.week !== null) words.push('--week', options.week);
  for (const plugin of options.givenPlugins) words.push('--plugin', shellWord(plugin));
  if (cassette !== undefined && options.cassette !== null) words.push('--replay', shellWord(options.cassette.name));
  else if (plan.effects !== undefined || needsHost(plan) || factsOf(scenario.subject).modules(scenario).length > 0) {
    words.push(...options.grantFlags.map(shellWord));
  }
  words.push(...settingFlags(plannerOf(scenario).settings ?? {}, options));
  return words;
}

/** As far as the user said what they are, and `passk trace` takes them. */
function settingFlags(table: Table, options: ResolvedRunOptions): readonly string[] {
  return Object.entries<Setting>(table).flatMap(([name, setting]): readonly string[] => {
    // The rows of all tables are options.
    const value = options[name as keyof ResolvedRunOptions];
    const flag = `--${flagName(name, setting)}`;
    if (setting.flag?.on.includes('trace') !== true) return [];
    if (value === null || value === false || value === setting.default) return [];
    if (value === true) return [flag];
    const words = isRecord(value)
      ? Object.entries(value).map(([key, word]) => `${key}=${String(word)}`)
      : Array.isArray(value)
        ? (value as readonly string[])
        : [String(value)];
    return words.flatMap((word) => [flag, shellWord(word)]);
  });
}

/** `options`: those that the run was given. */
function traceCall(plan: ScenarioPlan, trial: number, options: ResolvedRunOptions): string | null {
  const callsHost = plan.liveModels.length > 0 || plan.liveNodes.length > 0;
  if (callsHost && plan.cassette === undefined) return null;
  const others = flagsBesides(plan, options).length > 0 ? '...options, ' : '';
  const seed = plan.scenario.seed === null ? `, seed: ${options.seed}` : '';
  const part = isPart(plan.scenario) ? `, part: ${JSON.stringify(plan.scenario.name)}` : '';
  return `traceTrial({ ${others}scenario${part}, trial: ${trial}${seed} })`;
}

/** True: what it stands in holds several scenarios. */
function isPart(scenario: Scenario): boolean {
  return scenario.part !== undefined || isOneOfSeveral(scenario);
}

/** `passk trace` asks agents and models from its own process. It runs code of the user in another one, which cannot ask. */
export function isOutOfReach(plan: ScenarioPlan): boolean {
  return (needsHost(plan) || usesProcessCode(plan.scenario)) && plan.userCode;
}

function needsHost(plan: ScenarioPlan): boolean {
  const { subject } = plan.scenario;
  return factsOf(subject).asksHost(subject) || runsCommands(plan);
}
