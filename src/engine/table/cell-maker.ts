import type { Answer } from '../../plugin/request.ts';
import { errorText } from '../error-text.ts';
import type { Graph, GraphNode } from '../graph.ts';
import type { Planned } from '../memo.ts';
import { firstMove, nextMove } from '../moves.ts';
import { retriesOn } from '../retry.ts';
import { ASK, CHOOSE, END, GO, type Cell, type CellReply } from './cells.ts';
import { isFromModel, type ValueIds } from './value-ids.ts';

/** Cells of one program; beyond, trials that would need more are walked. */
const MAX_CELLS = 8192;

/** Makes cells by calling the steps of nodes, exactly as a walk would. */
export class CellMaker {
  private readonly graph: Graph;
  private readonly ids: ValueIds;
  /** The constant answer of each variant of each turn; null: it depends on the request. */
  private readonly answers: readonly (Answer | null)[];
  private made = 0;

  constructor(graph: Graph, ids: ValueIds, answers: readonly (Answer | null)[]) {
    this.graph = graph;
    this.ids = ids;
    this.answers = answers;
  }

  /** What a node does first, for these inputs; null: left to the walk. */
  first(node: GraphNode, inputs: readonly number[]): Cell | null {
    // Code of the user is called on every visit, and a node named `trigger` rewrites what others read.
    if (node.memoDepth === null || node.index === this.graph.triggerNode) return null;
    const planned = firstMove(
      this.graph,
      node,
      inputs.map((id) => this.ids.valueOf(id)),
    );
    return this.cell(node, planned, inputs.some(isFromModel), null);
  }

  /** What a node does after an answer of the model; null: left to the walk. */
  reply(node: GraphNode, askCell: Cell, served: number): Cell | null {
    const answer = this.answers[served] ?? null;
    const { move } = askCell.planned;
    if (answer === null || answer.delayUs !== 0 || move.kind !== 'ask' || move.request.port !== 'model') return null;
    const { reply } = answer;
    if (reply.kind !== 'model' && reply.kind !== 'error') return null;
    if (reply.kind === 'error' && reply.denied) return null;
    const added: CellReply = {
      served,
      promptTokens: reply.kind === 'model' ? (reply.usage?.promptTokens ?? 0) : 0,
      completionTokens: reply.kind === 'model' ? (reply.usage?.completionTokens ?? 0) : 0,
      calls: reply.kind === 'model' ? 1 : 0,
      repairs: move.request.repair ? 1 : 0,
      faults: answer.fault === null ? 0 : 1,
    };
    return this.cell(node, nextMove(this.graph, node, askCell.planned, reply), askCell.inputFromModel, added);
  }

  private cell(node: GraphNode, planned: Planned, inputFromModel: boolean, reply: CellReply | null): Cell | null {
    if (this.made >= MAX_CELLS) return null;
    const { move } = planned;
    const shared = { node: node.index, planned, reply, inputFromModel, edge: -1, next: 0, output: 0 };
    const plain = { ...shared, route: null, end: null, response: null };
    switch (move.kind) {
      case 'ask':
        if (move.request.port !== 'model' || node.isLoop) return null;
        this.made++;
        return { ...plain, kind: ASK };
      case 'error': {
        // An error that is tried again takes time, which the walk keeps.
        if (retriesOn(node, move.category)) return null;
        this.made++;
        const reason = move.verbatim === true ? move.message : this.text(node, move.category, move.message);
        return { ...plain, kind: END, end: erroredEnd(move.category, reason) };
      }
      case 'end': {
        this.made++;
        const completed = move.status === 'completed';
        const end = {
          status: move.status,
          stoppedBy: completed ? 'terminate' : 'fail',
          reason: completed ? null : (move.reason ?? 'workflow failed'),
          category: null,
          finalValue: null,
          errored: false,
        } as const;
        return { ...plain, output: this.ids.idOf(null, false), kind: END, end };
      }
      case 'done':
        return this.done(node, planned, { ...plain, response: move.response ?? null });
      case 'pause':
        return null;
    }
  }

  private done(node: GraphNode, planned: Planned, base: Omit<Cell, 'kind'>): Cell | null {
    const { move, route } = planned;
    // Only what is frozen, that is, kept, may be shared by trials.
    if (move.kind !== 'done' || (typeof move.output === 'object' && !Object.isFrozen(move.output))) return null;
    this.made++;
    const output = this.ids.idOf(move.output, node.isModel || base.inputFromModel);
    if (route === null) {
      const deadEnd = node.hasOutEdges || move.branch !== undefined;
      const end = {
        status: 'completed',
        stoppedBy: deadEnd ? 'dead_end' : 'leaf',
        reason: null,
        category: null,
        finalValue: move.output,
        errored: false,
      } as const;
      return { ...base, kind: END, output, end };
    }
    if (route.only === null) return { ...base, kind: CHOOSE, output, route };
    return { ...base, kind: GO, output, next: route.only.to, edge: route.only.index };
  }

  private text(node: GraphNode, category: Parameters<typeof errorText>[0], message: string): string {
    return errorText(category, message, node.type, this.graph.name);
  }
}

function erroredEnd(category: Parameters<typeof errorText>[0], reason: string): NonNullable<Cell['end']> {
  return {
    status: 'errored',
    stoppedBy: category === 'policy' ? 'denial' : 'error',
    reason,
    category,
    finalValue: null,
    errored: true,
  };
}
