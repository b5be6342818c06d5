import { otherThan } from './parse-class.ts';
import type { PatternNode } from './tree.ts';

/** What must, or must not, occur besides a pattern. */
export interface Condition {
  readonly node: PatternNode;
  readonly occurs: boolean;
}

export interface Lifted {
  readonly body: PatternNode;
  readonly conditions: readonly Condition[];
}

const TEXT_END: PatternNode = { kind: 'at', place: 'textEnd' };

/**
 * Takes look-aheads out where a search needs none. At the beginning of the text (`^(?!.*secret)`) each is a condition of
 * its own, since there is only one place to look from. At the end of the pattern (`\d(?=%)`) nothing follows, so that the
 * text may as well be taken; a negated one there must be of one character. Others stay where they are.
 */
export function liftLooks(node: PatternNode): Lifted {
  if (node.kind === 'case') {
    const { body, conditions } = liftLooks(node.body);
    const wrap = (inner: PatternNode): PatternNode => ({ ...node, body: inner });
    return { body: wrap(body), conditions: conditions.map((one) => ({ ...one, node: wrap(one.node) })) };
  }
  const items = node.kind === 'sequence' ? node.items : [node];
  const [start] = items;
  if (start?.kind !== 'at' || start.place !== 'start') return { body: withoutLast(node), conditions: [] };
  const conditions: Condition[] = [];
  let at = 1;
  for (let item = items[at]; item?.kind === 'look' && !item.behind; item = items[++at]) {
    conditions.push({ node: sequence([start, item.body]), occurs: !item.negated });
  }
  return { body: withoutLast(sequence([start, ...items.slice(at)])), conditions };
}

function withoutLast(node: PatternNode): PatternNode {
  switch (node.kind) {
    case 'sequence': {
      const last = node.items.at(-1);
      return last === undefined ? node : sequence([...node.items.slice(0, -1), withoutLast(last)]);
    }
    case 'choice':
      return { kind: 'choice', options: node.options.map(withoutLast) };
    case 'case':
      return { ...node, body: withoutLast(node.body) };
    case 'look':
      if (node.behind) return node;
      if (!node.negated) return withoutLast(node.body);
      return node.body.kind === 'one' ? { kind: 'choice', options: [otherThan(node.body), TEXT_END] } : node;
    default:
      return node;
  }
}

function sequence(items: readonly PatternNode[]): PatternNode {
  return { kind: 'sequence', items };
}
