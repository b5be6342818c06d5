import { WORD_ITEMS } from './character-sets.ts';
import { otherThan } from './parse-class.ts';
import type { OneCharacter, PatternNode } from './tree.ts';

type Nodes = readonly PatternNode[];
/** True: of a word. False: not, or nothing at all. Null: either. */
type Wordness = boolean | null;

const WORD: OneCharacter = { kind: 'one', source: `[${WORD_ITEMS}]`, inverse: `[^${WORD_ITEMS}]`, word: true };
const NO_WORD = otherThan(WORD);
const TEXT_END: PatternNode = { kind: 'at', place: 'textEnd' };
const NEVER: PatternNode = { kind: 'one', source: '[^\\x{0}-\\x{10ffff}]', inverse: '(?s:.)', word: null };
/** Each `\b` between unknown neighbours doubles what follows it: bounds on them, and on the nodes that come of it. */
const MAX_EDGES = 10;
const MAX_NODES = 2000;

/**
 * Says `\b` and `\B` with look-behinds, since RE2 knows only words of ASCII. What stands before a place is looked
 * at as it is; what stands after it is looked at as soon as it has been taken. A place keeps to ASCII where it depends
 * on what follows a group, and all of them do where the pattern becomes too large.
 */
export function resolveWords(node: PatternNode): PatternNode {
  const edges = edgesIn(node);
  if (edges === 0 || edges > MAX_EDGES) return node;
  const resolved = sequence(resolve([node], true));
  return roomAfter(resolved, MAX_NODES) < 0 ? node : resolved;
}

function edgesIn(node: PatternNode): number {
  return isEdge(node) ? 1 : childrenOf(node).reduce((sum, child) => sum + edgesIn(child), 0);
}

function isEdge(node: PatternNode): boolean {
  return node.kind === 'at' && (node.place === 'word' || node.place === 'notWord');
}

/** `isLast`: nothing follows in the whole pattern. */
function resolve(nodes: Nodes, isLast: boolean): Nodes {
  const items = nodes.flatMap(itemsOf);
  let rest: Nodes = [];
  for (let at = items.length - 1; at >= 0; at--) {
    const item = items[at] as PatternNode;
    const edge = isEdge(item) ? edgeAt(items, at, isLast) : null;
    const resolved = edge === null ? null : resolveEdge(rest, edge);
    rest = resolved ?? [resolveInside(item, isLast && at === items.length - 1), ...rest];
  }
  return rest;
}

function resolveInside(node: PatternNode, isLast: boolean): PatternNode {
  switch (node.kind) {
    case 'choice':
      return { kind: 'choice', options: node.options.map((option) => sequence(resolve([option], isLast))) };
    case 'case':
      return { ...node, body: sequence(resolve([node.body], isLast)) };
    case 'repeat':
    case 'look':
      return { ...node, body: sequence(resolve([node.body], false)) };
    default:
      return node;
  }
}

interface Edge {
  /** The characters around it are of different kinds; false: of the same. */
  readonly differs: boolean;
  readonly before: Wordness;
  readonly after: Wordness;
  readonly isLast: boolean;
}

function edgeAt(items: Nodes, at: number, isLast: boolean): Edge {
  const item = items[at];
  return {
    differs: item?.kind === 'at' && item.place === 'word',
    before: wordness(items.slice(0, at), 'last'),
    after: wordness(items.slice(at + 1), 'first'),
    isLast,
  };
}

/** What an edge and all that follows it become; null: it cannot be said. */
function resolveEdge(rest: Nodes, { differs, before, after, isLast }: Edge): Nodes | null {
  if (after !== null) return [behind(after !== differs), ...rest];
  const following = (word: boolean): Nodes | null => beginWith(rest, word, isLast);
  if (before !== null) return following(before !== differs);
  const [ifWord, ifNone] = [following(!differs), following(differs)];
  if (ifWord === null || ifNone === null) return null;
  return [choice([sequence([behind(true), ...ifWord]), sequence([behind(false), ...ifNone])])];
}

/** The same nodes where the first character that they take, or that follows them, is of a word, or is not; null: unknown. */
function beginWith(nodes: Nodes, word: boolean, isLast: boolean): Nodes | null {
  const [first, ...more] = nodes.flatMap(itemsOf);
  if (first === undefined) {
    if (!isLast) return null;
    return word ? [WORD] : [choice([NO_WORD, TEXT_END])];
  }
  switch (first.kind) {
    case 'one':
      return [first, behind(word), ...more];
    case 'at':
      if (first.place === 'textEnd' || first.place === 'end' || first.place === 'lineEnd') {
        return word ? [NEVER] : nodes;
      }
      return prepend(first, beginWith(more, word, isLast));
    case 'look':
      return prepend(first, beginWith(more, word, isLast));
    case 'case': {
      if (canBeEmpty(first.body)) return null;
      const body = beginWith([first.body], word, false);
      return body === null ? null : [{ ...first, body: sequence(body) }, ...more];
    }
    case 'choice': {
      const options = first.options.map((option) => beginWith([option, ...more], word, isLast));
      return options.some((option) => option === null)
        ? null
        : [choice(options.map((option) => sequence(option ?? [])))];
    }
    case 'repeat':
      return beginRepeat(first, more, word, isLast);
    case 'sequence':
      return null;
  }
}

function beginRepeat(
  { body, least, most }: Extract<PatternNode, { kind: 'repeat' }>,
  more: Nodes,
  word: boolean,
  isLast: boolean,
): Nodes | null {
  if (most === 0) return beginWith(more, word, isLast);
  const once = canBeEmpty(body) ? null : beginWith([body], word, false);
  if (once === null) return null;
  const again: PatternNode = {
    kind: 'repeat',
    body,
    least: Math.max(0, least - 1),
    most: most === null ? null : most - 1,
  };
  const some = [...once, again, ...more];
  if (least > 0) return some;
  const none = beginWith(more, word, isLast);
  return none === null ? null : [choice([sequence(some), sequence(none)])];
}

/** Of the character that some nodes take first or last, as far as it is the same for all texts. */
function wordness(nodes: Nodes, end: 'first' | 'last'): Wordness {
  const items = nodes.flatMap(itemsOf);
  for (const node of end === 'first' ? items : items.toReversed()) {
    switch (node.kind) {
      case 'one':
        return node.word;
      case 'repeat':
        return node.least === 0 || canBeEmpty(node.body) ? null : wordness([node.body], end);
      case 'case':
        return canBeEmpty(node.body) ? null : wordness([node.body], end);
      case 'choice': {
        const [first = null, ...others] = node.options.map((option) =>
          canBeEmpty(option) ? null : wordness([option], end),
        );
        return others.every((other) => other === first) ? first : null;
      }
      case 'at':
        // Nothing, or a line break, lies beyond.
        if ((end === 'first' ? ENDS : STARTS).has(node.place)) return false;
        break;
      default:
        break;
    }
  }
  return null;
}

const ENDS: ReadonlySet<string> = new Set(['end', 'textEnd', 'lineEnd']);
const STARTS: ReadonlySet<string> = new Set(['start', 'lineStart']);

function canBeEmpty(node: PatternNode): boolean {
  switch (node.kind) {
    case 'one':
      return false;
    case 'choice':
      return node.options.some(canBeEmpty);
    case 'repeat':
      return node.least === 0 || canBeEmpty(node.body);
    case 'case':
      return canBeEmpty(node.body);
    case 'sequence':
      return node.items.every(canBeEmpty);
    default:
      return true;
  }
}

function childrenOf(node: PatternNode): Nodes {
  if (node.kind === 'sequence') return node.items;
  if (node.kind === 'choice') return node.options;
  return 'body' in node ? [node.body] : [];
}

/** What is left of so much room when all nodes have taken theirs; looks no further once it is negative. */
function roomAfter(node: PatternNode, room: number): number {
  return childrenOf(node).reduce((left, child) => (left < 0 ? left : roomAfter(child, left)), room - 1);
}

function itemsOf(node: PatternNode): Nodes {
  return node.kind === 'sequence' ? node.items.flatMap(itemsOf) : [node];
}

function behind(word: boolean): PatternNode {
  return { kind: 'look', behind: true, negated: !word, body: WORD };
}

function prepend(first: PatternNode, rest: Nodes | null): Nodes | null {
  return rest === null ? null : [first, ...rest];
}

function sequence(items: Nodes): PatternNode {
  const [only] = items;
  return items.length === 1 && only !== undefined ? only : { kind: 'sequence', items };
}

function choice(options: Nodes): PatternNode {
  return { kind: 'choice', options };
}
