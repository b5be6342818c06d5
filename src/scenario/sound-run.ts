import { isTable } from '../source/json-schema.ts';
import type { JsonObject } from '../types/json.ts';
import type { Workflow } from '../types/workflow.ts';
import type { GraphIndex } from '../workflow/graph-index.ts';
import { listAt, tableAt, textAt, textsAt } from '../workflow/raw-data.ts';
import { type Report, reports } from '../workflow/report.ts';
import { checkMocks } from './check-mocks.ts';
import { checkModels, checkUnusedTurns } from './check-model.ts';
import { checkNodeNames, isModelType } from './check-node-names.ts';
import { checkPossible } from './check-possible.ts';
import type { RunParts } from './check-run.ts';
import { checkUnusedMocks } from './check-unused-mocks.ts';
import { checkEnv } from './check-world.ts';

/**
 * True only of a scenario and its workflow about which no rule of `checkRun` has anything to say. What most files have
 * is looked at once for all rules; a rule is asked only where there is what it is about.
 */
export function isRunSound(parts: RunParts, graph: GraphIndex): boolean {
  const { document, loaded, resolved, world, policy, registry } = parts;
  const { data } = document;
  const { workflow } = resolved;
  if (world === null || resolved.children.size > 0 || registry.isLive === true) return false;
  const entry = entryOf(tableAt(data, 'trigger'), workflow);
  if (entry === null || hasRego(data, loaded.table)) return false;
  if (policy !== null && registry.policyProblems !== undefined && registry.policyProblems(policy).length > 0)
    return false;
  const saysNothing = (rule: (report: Report) => void): boolean => !reports(rule);
  const hasMocks = world.http.length > 0 || world.processes.length > 0 || world.mcp.length > 0;
  return (
    areNodesSound(parts) &&
    areTurnsServed(parts) &&
    (areNamesSound(data, workflow, graph, entry) ||
      (saysNothing((report) => checkNodeNames(data, workflow, [], report)) &&
        saysNothing((report) => checkPossible(data, workflow, entry, registry, report)))) &&
    (!hasMocks || saysNothing((report) => checkUnusedMocks(world, [workflow], report)))
  );
}

/** Where the run begins; null where that takes a closer look, or a trigger of its own shape starts it. */
function entryOf(trigger: JsonObject, { startNodes }: Workflow): string | null {
  if (trigger.kind === 'cron' || trigger.kind === 'fs_watch') return null;
  const name = textAt(trigger, 'start');
  const start = name === undefined ? startNodes[0] : startNodes.find((one) => one.name === name);
  return start?.entryNode ?? null;
}

function hasRego(data: JsonObject, table: JsonObject): boolean {
  return tableAt(data.policy === undefined ? table : data, 'policy').rego !== undefined;
}

/** What node types say of their nodes, and whether what they reach outside is declared. */
function areNodesSound({ document, resolved, world, registry }: RunParts): boolean {
  const { workflow } = resolved;
  const { data } = document;
  let readsEnv = false;
  let reachesOut = false;
  for (const node of workflow.nodes) {
    if (registry.checkNode !== undefined && registry.checkNode(node, workflow).length > 0) return false;
    readsEnv ||= node.type === 'read_env';
    reachesOut ||= OUTSIDE.has(node.type);
  }
  const placed = (report: Report) => ({ workflow, report });
  const isGranted = registry.grantsEnv ?? (() => false);
  if (readsEnv && reports((report) => checkEnv(data, placed(report), isGranted))) return false;
  const isOpen = data.policy === undefined && workflow.policy === undefined;
  if (!reachesOut || !isOpen || world === null) return true;
  return !reports((report) => checkMocks(world, placed(report), registry.granted ?? new Set()));
}

/** Node types that need an answer from outside where no policy denies it. */
const OUTSIDE: ReadonlySet<string> = new Set(['http_request', 'shell_run', 'call_mcp_tool', 'read_mcp_resource']);

function areTurnsServed({ document: { data }, resolved: { workflow }, registry }: RunParts): boolean {
  const turns = listAt(tableAt(data, 'intel'), 'turns');
  const [turn] = turns;
  if (turn === undefined && !workflow.nodes.some(({ type }) => isModelType(type))) return true;
  // One answer for whoever asks first, and a node that asks.
  if (turns.length === 1 && isTable(turn) && turn.node === undefined && workflow.nodes.some(asksModel)) return true;
  return (
    !reports((report) => checkUnusedTurns(data, workflow, new Map(), report)) &&
    !reports((report) => checkModels(data, { workflow, report }, { registry, runsOn: workflow }))
  );
}

function asksModel({ type }: { readonly type: string }): boolean {
  return type === 'llm_infer';
}

/** The nodes that the scenario names, where all are named by keys that most files have. */
function areNamesSound(data: JsonObject, workflow: Workflow, graph: GraphIndex, entry: string): boolean {
  if (tableAt(data, 'world').approvals !== undefined) return false;
  for (const turn of listAt(tableAt(data, 'intel'), 'turns'))
    if (!isTable(turn) || turn.node !== undefined) return false;
  const expected = tableAt(data, 'expected');
  for (const key of Object.keys(expected)) if (NAMES_NODES.has(key)) return false;
  const isKnown = (id: string): boolean => graph.numbers.has(id);
  for (const key of ['last_node', 'errored_node']) {
    const id = textAt(expected, key);
    // From the only start all nodes can be reached.
    if (id !== undefined && (!isKnown(id) || workflow.startNodes.length > 1)) return false;
  }
  return textsAt(expected, 'forbidden_nodes').every(isKnown) && isPath(textsAt(expected, 'path'), graph, entry);
}

/** Keys of `[expected]` with nodes in them, besides those that are looked at here. */
const NAMES_NODES: ReadonlySet<string> = new Set([
  ...['branches', 'values', 'prompts', 'http', 'processes', 'mcp', 'denials', 'sequence'],
]);

/** True when the nodes follow each other from where the run begins. */
function isPath(path: readonly string[], { numbers, from, to }: GraphIndex, entry: string): boolean {
  let before: number | null = null;
  for (const id of path) {
    const node = numbers.get(id);
    if (node === undefined) return false;
    const last = before;
    if (last === null ? id !== entry : !to.some((next, at) => next === node && from[at] === last)) return false;
    before = node;
  }
  return true;
}
