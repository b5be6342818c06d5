import type { ProcessTree } from './process-tree.ts';

/** Where the process ends without closing, nothing asynchronous runs any more. */
const LIVING = new Set<ProcessTree>();
let isWatched = false;

/** Ends the tree with this process, should it end before `forgetTree`. */
export function keepTree(tree: ProcessTree): ProcessTree {
  if (!isWatched) process.on('exit', killLiving);
  isWatched = true;
  LIVING.add(tree);
  return tree;
}

/** For a tree of which nothing is left. */
export function forgetTree(tree: ProcessTree | null): void {
  if (tree !== null) LIVING.delete(tree);
}

/** Kills all trees of this thread, as far as that can be done at once. */
export function killLiving(): void {
  for (const tree of LIVING) tree.kill();
}
