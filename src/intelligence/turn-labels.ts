import type { Turn } from '../types/scenario.ts';

/** What turns are called in reports, in file order: their id, `node:x[0]` (of that node's turns) or `turns[3]`. */
export function turnLabels(turns: readonly Turn[]): readonly string[] {
  const rankOf = ranks();
  return turns.map(({ id, node }, index) => {
    const rank = rankOf(node);
    return id ?? (node === undefined ? `turns[${index}]` : `node:${node}[${rank}]`);
  });
}

/**
 * What the draws of turns derive from. Turns without an id are numbered among themselves, so those with one may come,
 * go and move without reshuffling the rest. Frozen by vectors: a change is a breaking release.
 */
export function turnKeys(turns: readonly Turn[]): readonly string[] {
  const rankOf = ranks();
  return turns.map(({ id, node }) => {
    if (id !== undefined) return `id:${id}`;
    return node === undefined ? `queue#${rankOf(undefined)}` : `node:${node}#${rankOf(node)}`;
  });
}

function ranks(): (group: string | undefined) => number {
  let queued = 0;
  let next: Map<string, number> | null = null;
  return (group) => {
    if (group === undefined) return queued++;
    next ??= new Map();
    const rank = next.get(group) ?? 0;
    next.set(group, rank + 1);
    return rank;
  };
}
