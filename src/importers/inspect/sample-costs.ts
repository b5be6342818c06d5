import type { ImportedCost, ImportedUsage } from '../../plugin/importer-type.ts';
import { countAt, fieldAt, numberAt } from '../../values/json-fields.ts';
import { isRecord } from '../../values/is-json.ts';
import type { LogFacts } from './inspect-log.ts';

export interface SampleCosts {
  readonly costs?: readonly ImportedCost[];
  readonly unsaid: Readonly<Record<string, string>>;
}

/** The usage of a model or a role, in one convention: cached tokens are part of the prompt. */
interface NamedUsage {
  readonly name: string;
  readonly usage: Required<ImportedUsage>;
  /** Dollars; null: not priced. */
  readonly usd: number | null;
}

/** Roles whose models are no part of the subject. */
const KINDS: Readonly<Record<string, ImportedCost['kind']>> = { grader: 'judge', judge: 'judge', user: 'user' };

/**
 * A line for each model, and lines of their own for graders and simulated users. Inspect counts the tokens of a role among
 * those of its model too, so they are subtracted there.
 */
export function sampleCosts(sample: unknown, { models: modelOf }: LogFacts): SampleCosts {
  const models = usagesIn(fieldAt(sample, 'model_usage'));
  if (models === null) return { unsaid: { usage: NO_CONVENTION } };
  const roles = (usagesIn(fieldAt(sample, 'role_usage')) ?? []).filter(({ name }) => Object.hasOwn(KINDS, name));
  const costs: ImportedCost[] = [];
  const rest = new Map(models.map((model) => [model.name, model]));
  const unmatched: string[] = [];
  for (const role of roles) {
    const model = rest.get(modelOf[role.name] ?? '') ?? onlyOneLike(role, models);
    const left = model === undefined ? null : without(model, role);
    if (model === undefined || left === null) {
      unmatched.push(role.name);
      continue;
    }
    rest.set(model.name, left);
    costs.push(lineOf(KINDS[role.name] ?? 'model', { ...role, name: model.name }));
  }
  for (const model of rest.values()) {
    const isUsedUp = costs.some(({ name }) => name === model.name) && tokensOf(model.usage) === 0;
    if (!isUsedUp) costs.unshift(lineOf('model', model));
  }
  const unsaid = unmatched.map((role) => [
    role,
    'its tokens stand with those of a model, and the log does not say which',
  ]);
  return { ...(costs.length > 0 && { costs }), unsaid: Object.fromEntries(unsaid) };
}

const NO_CONVENTION = 'its total of tokens does not tell whether cached ones are among its input';

/** Usages by name; null: the convention of one is unclear. */
function usagesIn(usages: unknown): readonly NamedUsage[] | null {
  if (!isRecord(usages)) return [];
  const used = Object.entries(usages).map(([name, one]) => {
    const usage = inspectUsage(one);
    const usd = numberAt(one, 'total_cost');
    return usage === null ? null : { name, usage, usd: usd !== null && usd >= 0 ? usd : null };
  });
  return used.every((one) => one !== null) ? used : null;
}

/**
 * Tokens in the convention of `TokenUsage`. Inspect keeps cached tokens apart from the input now and counted them as input
 * before; a provider may count reasoning apart from the output. The total tells which it was. Null: it fits none, or tokens
 * are missing. Source: release-gate F-10.
 */
export function inspectUsage(counts: unknown): Required<ImportedUsage> | null {
  const input = countAt(counts, 'input_tokens');
  const output = countAt(counts, 'output_tokens');
  if (input === null || output === null) return null;
  const cachedTokens = countAt(counts, 'input_tokens_cache_read') ?? 0;
  const cacheWriteTokens = countAt(counts, 'input_tokens_cache_write') ?? 0;
  const reasoningTokens = countAt(counts, 'reasoning_tokens') ?? 0;
  const cached = cachedTokens + cacheWriteTokens;
  const total = countAt(counts, 'total_tokens');
  const parts = { cachedTokens, cacheWriteTokens, reasoningTokens };
  const readings = [
    { promptTokens: input, completionTokens: output, ...parts },
    { promptTokens: input + cached, completionTokens: output, ...parts },
    { promptTokens: input, completionTokens: output + reasoningTokens, ...parts },
    { promptTokens: input + cached, completionTokens: output + reasoningTokens, ...parts },
  ];
  const fitting = readings.find((usage) => tokensOf(usage) === total && usage.promptTokens >= cached);
  return fitting ?? (cached === 0 ? (readings[0] ?? null) : null);
}

function tokensOf({ promptTokens, completionTokens }: Required<ImportedUsage>): number {
  return promptTokens + completionTokens;
}

/** The model with the same usage, as that of a grader with a model of its own; else the only model. */
function onlyOneLike(role: NamedUsage, models: readonly NamedUsage[]): NamedUsage | undefined {
  const like = models.filter(({ usage }) => USAGE.every((key) => usage[key] === role.usage[key]));
  return like.length === 1 ? like[0] : models.length === 1 ? models[0] : undefined;
}

const USAGE = ['promptTokens', 'completionTokens', 'cachedTokens', 'cacheWriteTokens', 'reasoningTokens'] as const;

/** The usage of the model without that of the role; null: the model used less. */
function without(model: NamedUsage, role: NamedUsage): NamedUsage | null {
  const usage = Object.fromEntries(USAGE.map((key) => [key, model.usage[key] - role.usage[key]]));
  if (USAGE.some((key) => (usage[key] ?? -1) < 0)) return null;
  const usd = model.usd === null || role.usd === null ? null : Math.max(0, model.usd - role.usd);
  return { name: model.name, usage: usage as NamedUsage['usage'], usd };
}

function lineOf(kind: ImportedCost['kind'], { name, usage, usd }: NamedUsage): ImportedCost {
  return { kind, name, usage, ...(usd !== null && { usd }) };
}
