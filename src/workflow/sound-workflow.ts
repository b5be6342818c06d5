import type { JsonObject } from '../types/json.ts';
import type { Draft, DraftEdge, DraftNode } from './draft.ts';
import { type GraphIndex, indexGraph, isAcyclic, isLedTo } from './graph-index.ts';
import { checkNodes, hasRule } from './node-rules.ts';
import { isNeverRetried } from './node-warnings.ts';
import { reports } from './report.ts';
import { isAlwaysLabelled, type LabelsOf, warnAboutRouting } from './routing-warnings.ts';

/** Beyond it, edges are compared by the rules, in time that does not grow with its square. */
const MOST_EDGES = 64;

/**
 * The graph of a workflow about which no rule has anything to say; null when the rules have to be asked. Nearly every
 * workflow that is loaded is sound, and a rule needs lists and maps of its own only to say what is not.
 */
export function soundGraph(draft: Draft, labelsOf: LabelsOf): GraphIndex | null {
  if (!draft.isComplete || !hasNodesOnly(draft) || draft.edges.length > MOST_EDGES) return null;
  const index = indexGraph(draft);
  if (index === null || !hasSoundEntries(draft, index)) return null;
  let isRuled = false;
  for (const node of draft.nodes) {
    if (!isPlainNode(node, index)) return null;
    isRuled ||= hasRule(node.type);
  }
  let isLabelled = false;
  for (let at = 0; at < draft.edges.length; at++) {
    const node = draft.nodes[index.from[at] ?? 0];
    const edge = draft.edges[at];
    if (node === undefined || edge === undefined || !isPlainEdge(edge, node) || isRepeated(draft, index, at))
      return null;
    isLabelled ||= !isAnswered(edge, labelsOf(node.type, node.config ?? {}));
  }
  if (!isAcyclic(draft, index)) return null;
  if (isRuled && reports((report) => checkNodes(draft, report))) return null;
  if (isLabelled && reports((report) => warnAboutRouting(draft, labelsOf, report))) return null;
  return index;
}

/** What else a workflow may declare has rules of its own. */
function hasNodesOnly({ routes, triggers, mcpServerTables }: Draft): boolean {
  return routes.length === 0 && triggers.length === 0 && mcpServerTables.length === 0;
}

/** One start node, or two of different names, each with an entry; from those all nodes can be reached. */
function hasSoundEntries({ startNodes }: Draft, index: GraphIndex): boolean {
  const [first, second, ...others] = startNodes;
  if (first === undefined || others.length > 0 || first.name === second?.name) return false;
  const entries: string[] = [];
  for (const { entryNode } of startNodes) {
    if (entryNode === undefined || !index.numbers.has(entryNode)) return false;
    entries.push(entryNode);
  }
  return isLedTo(index, entries);
}

function isPlainNode({ id, type, retry, config }: DraftNode, { numbers }: GraphIndex): boolean {
  if (config === null || id === 'trigger' || (retry !== null && isNeverRetried(type))) return false;
  return arePathsKnown(config, numbers);
}

function arePathsKnown(config: JsonObject, numbers: ReadonlyMap<string, number>): boolean {
  for (const key of Object.keys(config)) {
    if (key === 'branches') return false;
    if (key !== 'expr' && !key.endsWith('From')) continue;
    const path = config[key];
    if (typeof path !== 'string') continue;
    const dot = path.indexOf('.');
    const root = dot === -1 ? path : path.slice(0, dot);
    if (root !== 'trigger' && !numbers.has(root)) return false;
  }
  return true;
}

function isPlainEdge({ when, maxIterations }: DraftEdge, { type }: DraftNode): boolean {
  if (type === 'terminate' || type === 'fail' || maxIterations === 0) return false;
  return when !== undefined || !isAlwaysLabelled(type);
}

/** True when an edge before this one leaves the same node for the same label. */
function isRepeated({ edges }: Draft, { from }: GraphIndex, at: number): boolean {
  for (let before = 0; before < at; before++) {
    if (from[before] === from[at] && edges[before]?.when === edges[at]?.when) return true;
  }
  return false;
}

/** True when nothing can be wrong between an edge and the labels of its node; lists of labels take all its edges. */
function isAnswered({ when }: DraftEdge, labels: readonly string[] | 'any'): boolean {
  return labels === 'any' || (labels.length === 0 && when === undefined);
}
