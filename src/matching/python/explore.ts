import { compileRe2 } from './compile-re2.ts';
import type { Look, OneCharacter, PatternNode } from './tree.ts';

/** Whether a search has passed a character, and what it has asserted about the end. */
const STATES = 6;
/** `ended`: 0 nothing, 1 at the end or before a last line break, 2 at the end. */
const stateOf = (moved: 0 | 1, ended: 0 | 1 | 2): number => moved * 3 + ended;
const AFTER_END = (1 << stateOf(0, 1)) | (1 << stateOf(1, 1));
const START = (1 << stateOf(0, 0)) | (1 << stateOf(1, 0));

export interface Explored {
  /** False: no text has a match. True: some may. */
  readonly canMatch: boolean;
  /** After `$` it must take a line break, or asks where it stands: before that break, which our `$` has taken. */
  readonly goesOnAfterEnd: boolean;
}

/** Follows a pattern over all texts at once, as far as its beginnings and ends go: a text begins and ends once. */
export function explore(node: PatternNode): Explored {
  const walk = new Walk();
  return { canMatch: walk.through(node, START, false) !== 0, goesOnAfterEnd: walk.goesOnAfterEnd };
}

/** Sets of states are bits. */
class Walk {
  goesOnAfterEnd = false;

  /** The states after a node; `optional`: it may as well be left out. */
  through(node: PatternNode, states: number, optional: boolean): number {
    switch (node.kind) {
      case 'one':
        return this.takeOne(node, states, optional);
      case 'at':
        if (node.place !== 'end' && node.place !== 'lineEnd') this.lookAround(states);
        return each(states, (moved, ended) => {
          if (node.place === 'start') return moved === 0 ? stateOf(moved, ended) : null;
          if (node.place === 'end') return stateOf(moved, ended === 0 ? 1 : ended);
          return stateOf(moved, node.place === 'textEnd' ? 2 : ended);
        });
      case 'sequence':
        return node.items.reduce((reached, item) => this.through(item, reached, optional), states);
      case 'choice':
        return node.options.reduce((reached, option) => reached | this.through(option, states, optional), 0);
      case 'repeat':
        return this.repeat(node, states, optional);
      case 'case':
        return this.through(node.body, states, optional);
      case 'look':
        this.lookAround(states);
        return this.canSee(node, states) ? states : 0;
    }
  }

  /** What is ahead must be possible; what is behind has been passed. */
  private canSee({ body, behind, negated }: Look, states: number): boolean {
    const reached = this.through(body, behind ? START : states, false);
    return behind || negated || reached !== 0;
  }

  private lookAround(states: number): void {
    if ((states & AFTER_END) !== 0) this.goesOnAfterEnd = true;
  }

  private takeOne(one: OneCharacter, states: number, optional: boolean): number {
    return each(states, (_, ended) => {
      if (ended === 0) return stateOf(1, 0);
      if (ended === 2 || !acceptsBreak(one)) return null;
      if (!optional) this.goesOnAfterEnd = true;
      return stateOf(1, 2);
    });
  }

  private repeat(
    { body, least, most }: Extract<PatternNode, { kind: 'repeat' }>,
    states: number,
    optional: boolean,
  ): number {
    if (most === 0) return states;
    let reached = least === 0 ? states : this.through(body, states, optional);
    for (let before = -1; before !== reached; ) {
      before = reached;
      reached |= this.through(body, reached, true);
    }
    return reached;
  }
}

function each(states: number, next: (moved: 0 | 1, ended: 0 | 1 | 2) => number | null): number {
  let reached = 0;
  for (let state = 0; state < STATES; state++) {
    if ((states & (1 << state)) === 0) continue;
    const after = next(state < 3 ? 0 : 1, (state % 3) as 0 | 1 | 2);
    if (after !== null) reached |= 1 << after;
  }
  return reached;
}

function acceptsBreak({ source }: OneCharacter): boolean {
  return compileRe2(`\\A${source}\\z`)('\n');
}
