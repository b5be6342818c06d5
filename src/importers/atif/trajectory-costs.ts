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
 * Prices and tokens of the steps where every step has them, else those of the totals. `unsaid` names a total that differs
 * from its steps. In the format, a total price includes that of subagents.
 */
export function costsOf(heads: readonly unknown[], runs: readonly { readonly answers: readonly Answer[] }[]): Costs {
  const answers = runs.flatMap((one) => one.answers);
  const totals = heads.map((head) => fieldAt(head, 'final_metrics'));
  const priced = sumOf(answers.map(({ usd }) => usd));
  const total = sumOf(totals.map((metrics) => priceAt(metrics, 'total_cost_usd')));
  const isCounted = answers.every(({ usage }) => isComplete(usage));
  const totalUsage = sumOfUsage(totals.map((metrics) => usageOf(metrics, 'total_')));
  const unsaid: Record<string, string> = {};
  if (priced !== null && total !== null && Math.abs(priced - total) > 1e-9 * Math.max(1, total)) {
    unsaid.cost = `final_metrics says ${total} $, its steps come to ${priced} $, which is used`;
  }
  const summed = isCounted ? sumOfUsage(answers.map(({ usage }) => usage)) : null;
  if (summed !== null && totalUsage !== null && differ(summed, totalUsage) && runs.length === 1) {
    unsaid.usage = `final_metrics says ${tokensOf(totalUsage)} tokens, its steps come to ${tokensOf(summed)}, which is used`;
  }
  const usd = priced ?? total;
  if (usd === null && (isCounted || totalUsage === null)) return { unsaid };
  const models = [...new Set(answers.map(({ model }) => model))];
  if (priced !== null && isCounted) return { costs: models.map((model) => lineOf(model, answers)), unsaid };
  const usage = summed ?? totalUsage;
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
  const ofModel = answers.filter((answer) => answer.model === model);
  const usd = sumOf(ofModel.map((answer) => answer.usd));
  const usage = sumOfUsage(ofModel.map((answer) => answer.usage));
  return {
    kind: 'model',
    name: model === '' ? 'model' : model,
    units: ofModel.length,
    ...(usage !== null && { usage }),
    ...(usd !== null && { usd }),
  };
}

function isComplete(usage: ImportedUsage | null): boolean {
  return usage?.promptTokens !== undefined && usage.completionTokens !== undefined;
}

function tokensOf({ promptTokens = 0, completionTokens = 0 }: ImportedUsage): number {
  return promptTokens + completionTokens;
}

function differ(one: ImportedUsage, other: ImportedUsage): boolean {
  return isComplete(one) && isComplete(other) && tokensOf(one) !== tokensOf(other);
}

/** The usage in some metrics; null: there is none. `total`: the prefix of its keys. */
export function usageOf(metrics: unknown, total = ''): ImportedUsage | null {
  const prompt = countAt(metrics, `${total}prompt_tokens`);
  const completion = countAt(metrics, `${total}completion_tokens`);
  const cached = countAt(metrics, `${total}cached_tokens`);
  const cacheWrite = countAt(metrics, 'extra', 'cache_creation_input_tokens');
  const reasoning =
    countAt(metrics, 'extra', 'reasoning_output_tokens') ?? countAt(metrics, 'extra', 'reasoning_tokens');
  const usage = {
    ...(prompt !== null && { promptTokens: prompt }),
    ...(completion !== null && { completionTokens: completion }),
    ...(cached !== null && { cachedTokens: cached }),
    ...(cacheWrite !== null && { cacheWriteTokens: cacheWrite }),
    ...(reasoning !== null && { reasoningTokens: reasoning }),
  };
  return Object.keys(usage).length === 0 ? null : usage;
}

/** Dollars; null: there is no price. */
export function priceAt(value: unknown, ...keys: readonly string[]): number | null {
  const usd = numberAt(value, ...keys);
  return usd !== null && usd >= 0 ? usd : null;
}
