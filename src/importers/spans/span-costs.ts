import type { ImportedCost, ImportedUsage } from '../../plugin/importer-type.ts';
import { sumOf, sumOfUsage } from '../sum-usage.ts';
import { callLines } from './call-lines.ts';
import { sizeOf, tokensOf } from './counted-spans.ts';
import type { SpanRole } from './span-roles.ts';
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

export interface CostFacts {
  readonly roles: ReadonlyMap<SpanNode, SpanRole>;
  readonly totals: RunTotals;
  /** How many steps could not be read. */
  readonly lost: number;
}

/**
 * What the calls of models took, none of them counted twice. Totals of the source count where no call tells anything, and where
 * they are higher, because calls are then missing.
 */
export function spanCosts(nodes: readonly SpanNode[], { roles, totals, lost }: CostFacts): SpanCosts {
  const { lines, difference } = callLines(nodes, roles);
  const own = lines.filter(({ kind }) => kind === 'model');
  const { usage: totalUsage, usd: totalUsd } = totals;
  const name = new Set(own.map((line) => line.name)).size === 1 ? (own[0]?.name ?? 'model') : 'model';
  const isTold = own.some(({ usage, usd }) => tellsAnything(usage) || usd !== undefined);
  const total: ImportedCost = {
    kind: 'model',
    name,
    ...(totalUsage !== undefined && { usage: totalUsage }),
    ...(totalUsd !== undefined && { usd: totalUsd }),
  };
  const hasTotals = totalUsage !== undefined || totalUsd !== undefined;
  if (!isTold && hasTotals) {
    const all = { ...total, ...(own.length > 0 && { units: own.length }) };
    const isSilent = totalUsage === undefined && own.length > 0;
    return {
      costs: [all, ...lines.filter(({ kind }) => kind !== 'model')],
      unsaid: isSilent ? { usage: tellsNoTokens(own.length, own.length) } : {},
    };
  }
  const unsaid: Record<string, string> = difference === null ? {} : { usage: difference };
  const tokens = sumOf(own.map(({ usage }) => countOf(usage)));
  const totalTokens = countOf(totalUsage);
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
  const untold = own.filter(({ usage }) => countOf(usage) === null).length;
  if (isTold && untold > 0) unsaid['usage'] = tellsNoTokens(untold, own.length);
  if (lost > 0) unsaid['usage'] = `${lost} of its steps cannot be read, which may have taken some`;
  if (lines.length === 0 && lost === 0) return { unsaid };
  // A step that could not be read may have been a call, so sums without totals are unknown.
  const missing: ImportedCost[] = lost > 0 ? [{ kind: 'model', name: 'model', units: lost, usage: {} }] : [];
  return { costs: [...lines, ...missing], unsaid };
}

function differs(total: number, sum: number, unit: string, isTotal: boolean): string {
  const used = isTotal ? 'the first is used: calls are missing' : 'the second is used';
  return `the source counts ${total} ${unit} in all, its calls of models come to ${sum} ${unit}; ${used}`;
}

function tellsNoTokens(count: number, of: number): string {
  return `${count} of ${of} calls of models do not tell their tokens`;
}

function tellsAnything(usage: ImportedUsage | undefined): boolean {
  return usage !== undefined && Object.keys(usage).length > 0;
}

/** Null: some call does not say. */
function countOf(usage: ImportedUsage | undefined): number | null {
  const tokens = tokensOf(usage);
  return tokens === null ? null : sizeOf(tokens);
}
