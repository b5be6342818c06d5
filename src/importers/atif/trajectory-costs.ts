import type { ImportedCost, ImportedUsage } from '../../plugin/importer-type.ts';
import { countAt, fieldAt, numberAt } from '../../values/json-fields.ts';
import { sumOf, sumOfUsage } from '../sum-usage.ts';

/** What one answer of a model cost. */
export interface Answer {
  readonly model: string;
  readonly usage: ImportedUsage | null;
  readonly usd: number | null;
}

export interface Costs {
  readonly costs?: readonly ImportedCost[];
  readonly unsaid: Readonly<Record<string, string>>;
}

/**
 * Prices and tokens of the steps where all of them tell theirs, else of the totals. A total that says otherwise than its
 * steps is told. Totals of a price are of the subagents too, as the format has it.
 */
export function costsOf(heads: readonly unknown[], told: readonly { readonly answers: readonly Answer[] }[]): Costs {
  const answers = told.flatMap((one) => one.answers);
  const totals = heads.map((head) => fieldAt(head, 'final_metrics'));
  const priced = sumOf(answers.map(({ usd }) => usd));
  const total = sumOf(totals.map((metrics) => priceAt(metrics, 'total_cost_usd')));
  const counted = answers.every(({ usage }) => isWhole(usage));
  const whole = sumOfUsage(totals.map((metrics) => usageOf(metrics, 'total_')));
  const unsaid: Record<string, string> = {};
  if (priced !== null && total !== null && Math.abs(priced - total) > 1e-9 * Math.max(1, total)) {
    unsaid.cost = `final_metrics says ${total} $, its steps come to ${priced} $, which is used`;
  }
  const summed = counted ? sumOfUsage(answers.map(({ usage }) => usage)) : null;
  if (summed !== null && whole !== null && differ(summed, whole) && told.length === 1) {
    unsaid.usage = `final_metrics says ${tokensOf(whole)} tokens, its steps come to ${tokensOf(summed)}, which is used`;
  }
  const usd = priced ?? total;
  if (usd === null && (counted || whole === null)) return { unsaid };
  const models = [...new Set(answers.map(({ model }) => model))];
  if (priced !== null && counted) return { costs: models.map((model) => lineOf(model, answers)), unsaid };
  const usage = summed ?? whole;
  const line: ImportedCost = {
    kind: 'model',
    name: models.length === 1 && models[0] !== undefined && models[0] !== '' ? models[0] : 'model',
    ...(answers.length > 0 && { units: answers.length }),
    ...(usage !== null && { usage }),
    ...(usd !== null && { usd }),
  };
  return { costs: [line], unsaid };
}

function lineOf(model: string, answers: readonly Answer[]): ImportedCost {
  const own = answers.filter((answer) => answer.model === model);
  const usd = sumOf(own.map((answer) => answer.usd));
  const usage = sumOfUsage(own.map((answer) => answer.usage));
  return {
    kind: 'model',
    name: model === '' ? 'model' : model,
    units: own.length,
    ...(usage !== null && { usage }),
    ...(usd !== null && { usd }),
  };
}

function isWhole(usage: ImportedUsage | null): boolean {
  return usage?.promptTokens !== undefined && usage.completionTokens !== undefined;
}

function tokensOf({ promptTokens = 0, completionTokens = 0 }: ImportedUsage): number {
  return promptTokens + completionTokens;
}

function differ(one: ImportedUsage, other: ImportedUsage): boolean {
  return isWhole(one) && isWhole(other) && tokensOf(one) !== tokensOf(other);
}

/** Null: none of it is told. `total`: what its keys begin with. */
export function usageOf(metrics: unknown, total = ''): ImportedUsage | null {
  const prompt = countAt(metrics, `${total}prompt_tokens`);
  const completion = countAt(metrics, `${total}completion_tokens`);
  const cached = countAt(metrics, `${total}cached_tokens`);
  const written = countAt(metrics, 'extra', 'cache_creation_input_tokens');
  const reasoning =
    countAt(metrics, 'extra', 'reasoning_output_tokens') ?? countAt(metrics, 'extra', 'reasoning_tokens');
  const usage = {
    ...(prompt !== null && { promptTokens: prompt }),
    ...(completion !== null && { completionTokens: completion }),
    ...(cached !== null && { cachedTokens: cached }),
    ...(written !== null && { cacheWriteTokens: written }),
    ...(reasoning !== null && { reasoningTokens: reasoning }),
  };
  return Object.keys(usage).length === 0 ? null : usage;
}

/** Dollars; null: not told. */
export function priceAt(value: unknown, ...keys: readonly string[]): number | null {
  const usd = numberAt(value, ...keys);
  return usd !== null && usd >= 0 ? usd : null;
}
