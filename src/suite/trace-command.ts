import type { ScenarioPlan } from '../types/plan.ts';
import type { ResolvedRunOptions } from './options.ts';
import { priceWord, tokenPriceIn } from './plan-prices.ts';

/**
 * The command that shows one trial of this run step by step, with every option that decides its answers; null: no command
 * does, for models would answer otherwise the next time, or an agent is out of reach.
 */
export function traceCommand(plan: ScenarioPlan, trial: number, options: ResolvedRunOptions): string | null {
  const { scenario, cassette } = plan;
  if (plan.liveEndpoints !== undefined && cassette === undefined) return null;
  if (isOutOfReach(plan) && cassette === undefined) return null;
  const words = ['passk', 'trace', shellWord(scenario.file)];
  if (scenario.contract !== undefined) words.push('--part', shellWord(scenario.name));
  words.push('--trial', String(trial));
  if (scenario.seed === null) words.push('--seed', String(options.seed));
  if (scenario.sampler === null && plan.sampler !== 'seeded') words.push('--sampler', plan.sampler);
  const price = tokenPriceIn(scenario);
  if (price !== null) words.push('--price', priceWord(price));
  if (options.timeoutMs !== null) words.push('--timeout', String(options.timeoutMs));
  for (const plugin of options.givenPlugins) words.push('--plugin', shellWord(plugin));
  const runsInWorker = plan.userCode || plan.effects !== undefined;
  if (runsInWorker && scenario.isolation === undefined && options.isolation !== 'thread') {
    words.push('--isolation', options.isolation);
  }
  if (cassette !== undefined && options.cassette !== null) words.push('--replay', shellWord(options.cassette.name));
  else if (plan.effects !== undefined || plan.agent !== undefined) words.push(...options.grantFlags.map(shellWord));
  return words.join(' ');
}

/** An agent is asked by this process, and code of the user is run by another one that shows one trial and asks nobody. */
export function isOutOfReach({ agent, userCode }: ScenarioPlan): boolean {
  return agent !== undefined && userCode;
}

/** A word as a POSIX shell takes it back. */
function shellWord(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
