import type { GraphEdge, Route } from './route.ts';

/** Which out-edge a route leads over: one, none because loop budgets are used up, or too many. */
export type EdgeChoice = GraphEdge | 'loop_spent' | { readonly candidates: number };

/** Loop edges that were followed as often as they may be are out; exactly one edge must be left. */
export function chooseEdge(route: Route, followed: ArrayLike<number>): EdgeChoice {
  if (route.only !== null) return route.only;
  let chosen: GraphEdge | null = null;
  let candidates = 0;
  for (const edge of route.edges) {
    if (edge.maxIterations >= 0 && (followed[edge.index] as number) >= edge.maxIterations) continue;
    candidates++;
    chosen ??= edge;
  }
  if (candidates > 1) return { candidates };
  return chosen ?? 'loop_spent';
}
