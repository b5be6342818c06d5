import type { ImportedCost, ImportedUsage } from '../../plugin/importer-type.ts';
import { sumOf, sumOfUsage } from '../sum-usage.ts';
import type { SpanNode } from './span-tree.ts';

/** What the source says that a run took, over all its steps. */
export interface RunTotals {
  readonly usage?: ImportedUsage;
  readonly usd?: number;
}

export interface SpanCosts {
  readonly costs?: readonly ImportedCost[];
  /** Why tokens or prices are not to be trusted, as `ImportedRun.unsaid`. */
  readonly unsaid: Readonly<Record<string, string>>;
}

/**
 * A line for each call of a model. Calls within calls are one call told twice, by a framework and by the client below it: the
 * inner ones count where they tell as much. Totals of the source count where no call tells anything, and where they are
 * higher, because calls are then missing; `lost`: how many steps could not be read.
 */
export function spanCosts(nodes: readonly SpanNode[], totals: RunTotals, lost: number): SpanCosts {
  const lines = modelLines(nodes);
  const own = lines.filter(({ kind }) => kind === 'model');
  const { usage: totalUsage, usd: totalUsd } = totals;
  const name = new Set(own.map((line) => line.name)).size === 1 ? (own[0]?.name ?? 'model') : 'model';
  const isTold = own.some(({ usage, usd }) => usage !== undefined || usd !== undefined);
  const total: ImportedCost = {
    kind: 'model',
    name,
    ...(totalUsage !== undefined && { usage: totalUsage }),
    ...(totalUsd !== undefined && { usd: totalUsd }),
  };
  const hasTotals = totalUsage !== undefined || totalUsd !== undefined;
  if (!isTold && hasTotals) {
    const all = { ...total, ...(own.length > 0 && { units: own.length }) };
    return { costs: [all, ...lines.filter(({ kind }) => kind !== 'model')], unsaid: {} };
  }
  const unsaid: Record<string, string> = {};
  const tokens = sumOf(own.map(({ usage }) => tokensOf(usage)));
  const totalTokens = tokensOf(totalUsage);
  const usd = sumOf(own.map((line) => line.usd ?? null));
  const hasMoreTokens = totalTokens !== null && tokens !== null && totalTokens > tokens;
  const hasMoreUsd = totalUsd !== undefined && usd !== null && totalUsd > usd * (1 + 1e-6) + 1e-9;
  if (totalTokens !== null && tokens !== null && totalTokens !== tokens) {
    unsaid['usage'] = differs(totalTokens, tokens, 'tokens', hasMoreTokens);
  }
  if (hasMoreUsd) unsaid['cost'] = differs(totalUsd, usd, '$', true);
  if (hasMoreTokens || hasMoreUsd) {
    const summed = sumOfUsage(own.map(({ usage }) => usage ?? null));
    const line = {
      ...total,
      ...(!hasMoreTokens && summed !== null && { usage: summed }),
      ...(!hasMoreUsd && usd !== null && { usd }),
    };
    return { costs: [line, ...lines.filter(({ kind }) => kind !== 'model')], unsaid };
  }
  const untold = own.filter(({ usage }) => tokensOf(usage) === null).length;
  if (isTold && untold > 0) unsaid['usage'] = `${untold} of ${own.length} calls of models do not tell their tokens`;
  if (lost > 0) unsaid['usage'] = `${lost} of its steps cannot be read, which may have taken some`;
  if (lines.length === 0 && lost === 0) return { unsaid };
  // What may have been a call and is not there leaves the sums unknown.
  const missing: ImportedCost[] = lost > 0 ? [{ kind: 'model', name: 'model', units: lost, usage: {} }] : [];
  return { costs: [...lines, ...missing], unsaid };
}

/** What is told of calls of models: how many there are, and whether each of them tells its tokens and its price. */
interface Told {
  readonly calls: number;
  readonly hasTokens: boolean;
  readonly hasPrices: boolean;
}

/** Of judges and of the subject, in order. A call that failed and tells nothing took nothing that anybody counted. */
function modelLines(nodes: readonly SpanNode[]): readonly ImportedCost[] {
  const judged = judgedNodes(nodes);
  const tellers = tellingNodes(nodes);
  const covered = new Set<SpanNode>();
  return nodes.flatMap((node): readonly ImportedCost[] => {
    const { span, parent } = node;
    const isCovered = parent !== null && (covered.has(parent) || tellers.has(parent));
    if (isCovered) covered.add(node);
    if (isCovered) return [];
    if (span.kind === 'tool' && span.usd !== undefined) return [{ kind: 'tool', name: span.name, usd: span.usd }];
    if (!tellers.has(node)) return [];
    return [
      {
        kind: judged.has(node) ? 'judge' : 'model',
        name: span.model ?? 'model',
        units: 1,
        // Tokens that were not told are told to be unknown.
        usage: span.usage ?? {},
        ...(span.usd !== undefined && { usd: span.usd }),
      },
    ];
  });
}

/** Calls of models that count themselves, rather than those within them. */
function tellingNodes(nodes: readonly SpanNode[]): ReadonlySet<SpanNode> {
  const tellers = new Set<SpanNode>();
  const told = new Map<SpanNode, Told>();
  // Parts come after what they are part of, so that backwards they come first.
  for (const node of nodes.toReversed()) {
    const { span } = node;
    let below: Told = { calls: 0, hasTokens: true, hasPrices: true };
    for (const child of node.children) {
      const one = told.get(child) ?? below;
      below = {
        calls: below.calls + one.calls,
        hasTokens: below.hasTokens && one.hasTokens,
        hasPrices: below.hasPrices && one.hasPrices,
      };
    }
    const hasTokens = tokensOf(span.usage) !== null;
    const hasPrice = span.usd !== undefined;
    const isModel = span.kind === 'model' || span.kind === 'embedding';
    const isToldBelow = below.calls > 0 && (!hasTokens || below.hasTokens) && (!hasPrice || below.hasPrices);
    const isSilentFailure = span.error !== null && span.usage === undefined && !hasPrice;
    if (isModel && !isToldBelow && !isSilentFailure) {
      tellers.add(node);
      told.set(node, { calls: 1, hasTokens, hasPrices: hasPrice });
    } else told.set(node, below);
  }
  return tellers;
}

/** Judges and all below them. */
export function judgedNodes(nodes: readonly SpanNode[]): ReadonlySet<SpanNode> {
  const judged = new Set<SpanNode>();
  for (const node of nodes) {
    if (node.span.kind === 'judge' || (node.parent !== null && judged.has(node.parent))) judged.add(node);
  }
  return judged;
}

function differs(total: number, sum: number, unit: string, isTotal: boolean): string {
  const used = isTotal ? 'the first is used: calls are missing' : 'the second is used';
  return `the source counts ${total} ${unit} in all, its calls of models come to ${sum} ${unit}; ${used}`;
}

/** Null: not told. */
function tokensOf(usage: ImportedUsage | undefined): number | null {
  if (usage?.promptTokens === undefined || usage.completionTokens === undefined) return null;
  return usage.promptTokens + usage.completionTokens;
}
