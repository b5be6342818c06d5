import { addressWord, hashText, STREAM } from '../src/random/draw.ts';
import { weightThresholds } from '../src/random/weights.ts';
import type { WorkflowPlan } from '../src/types/plan.ts';
import { STATUSES, type SubjectStatus } from '../src/types/trial.ts';

interface NativeCell {
  readonly kind: 'ask' | 'go' | 'end';
  readonly node: number;
  readonly next?: number;
  readonly edge?: number;
  /** Id of the output that a later node reads. */
  readonly output?: number;
  /** The only cell of the next node. */
  readonly nextCell?: number;
  readonly status?: SubjectStatus;
  /** Which answer leads here. */
  readonly served?: number;
}

interface NativeTables {
  /** Cell 0 is nothing. */
  readonly cells: readonly NativeCell[];
  /** By answer of the one turn. */
  readonly after: readonly number[];
  /** By node: the node whose output it reads, or −1. */
  readonly reads: readonly number[];
  /** By node and output id, `ids` a node. */
  readonly byRoot: readonly number[];
  readonly ids: number;
}

/** Words that give the draw of the first turn: two of the trial, and its address. */
export function drawWords({ words }: WorkflowPlan): readonly [number, number, number] {
  return [words[0], words[1], addressWord(words, STREAM.turn, hashText('queue#0'), 0) >>> 0];
}

/** The tables of `route3` or `linear20` as text for the C program. */
export function nativeTables(plan: WorkflowPlan): string {
  const { scenario } = plan;
  const { nodes, edges } = scenario.subject.workflow;
  const tables = scenario.name === 'route3' ? routeTables() : lineTables(nodes.length);
  const [turn] = scenario.subject.turns;
  if (turn === undefined) throw new Error('a turn is expected');
  const { expected } = scenario;
  const cost = (turn.variants[0]?.promptTokens ?? 0) + (turn.variants[0]?.completionTokens ?? 0);
  const position = (id: string | undefined): number => nodes.findIndex((node) => node.id === id);
  const parts: readonly (readonly number[])[] = [
    [nodes.length, edges.length, tables.cells.length, tables.ids, turn.variants.length, 0, ...drawWords(plan)],
    weightThresholds(turn.variants.map(({ weight }) => weight)),
    tables.cells.flatMap((cell) => wordsOf(cell, cost)),
    tables.after,
    tables.reads,
    tables.byRoot,
    [STATUSES.indexOf('completed'), position(expected.lastNode), 1, cost, expected.path?.length ?? 0],
    (expected.path ?? []).map(position),
  ];
  return `${parts.map((part) => part.join(' ')).join('\n')}\n`;
}

function wordsOf(cell: NativeCell, cost: number): readonly number[] {
  const kind = { ask: 0, go: 1, end: 3 }[cell.kind];
  const billed = cell.served === undefined ? 0 : 1;
  const status = cell.status === undefined ? 0 : STATUSES.indexOf(cell.status);
  const { next = 0, output = 0, node, nextCell = 0, edge = -1, served = -1 } = cell;
  return [kind, next, output, 16, 0, node, nextCell, edge, status, billed * cost, billed, served];
}

const NOTHING: NativeCell = { kind: 'end', node: 0 };

function routeTables(): NativeTables {
  const answer = (served: number): NativeCell => ({
    kind: 'go',
    node: 0,
    next: 1,
    edge: 0,
    output: served + 1,
    served,
  });
  return {
    cells: [
      NOTHING,
      { kind: 'ask', node: 0 },
      answer(0),
      answer(1),
      answer(2),
      { kind: 'end', node: 0, status: 'errored', served: 3 },
      { kind: 'go', node: 1, next: 2, edge: 1, nextCell: 9 },
      { kind: 'go', node: 1, next: 3, edge: 2, nextCell: 10 },
      { kind: 'end', node: 1, status: 'completed' },
      { kind: 'end', node: 2, status: 'completed' },
      { kind: 'end', node: 3, status: 'completed' },
    ],
    after: [2, 3, 4, 5],
    reads: [-1, 0, -1, -1],
    byRoot: [...[1, 0, 0, 0], ...[0, 6, 7, 8], ...[9, 0, 0, 0], ...[10, 0, 0, 0]],
    ids: 4,
  };
}

/** Cell 1 asks; cell n + 2 is what node n does. */
function lineTables(count: number): NativeTables {
  const last = count - 1;
  const cells = Array.from({ length: count }, (_, node): NativeCell => {
    const served = node === 0 ? { served: 0 } : {};
    if (node === last) return { kind: 'end', node, status: 'completed' };
    return { kind: 'go', node, next: node + 1, edge: node, nextCell: node + 3, ...served };
  });
  return {
    cells: [NOTHING, { kind: 'ask', node: 0 }, ...cells],
    after: [2],
    reads: Array.from({ length: count }, () => -1),
    byRoot: Array.from({ length: count }, (_, node) => (node === 0 ? 1 : node + 2)),
    ids: 1,
  };
}
