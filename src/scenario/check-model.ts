import { asksModel } from '../plugin/node-calls.ts';
import type { JsonObject } from '../types/json.ts';
import type { Workflow, WorkflowNode } from '../types/workflow.ts';
import { tableAt, tablesAt, textAt, valueAt } from '../workflow/raw-data.ts';
import type { Report } from '../workflow/report.ts';
import { mostRequests, type RequestingWorkflows } from './most-requests.ts';
import type { ModelSource, RegistryView } from './registry-view.ts';

/** A workflow of the scenario and how to point into it. */
export interface PlacedWorkflow {
  readonly workflow: Workflow;
  readonly report: Report;
}

/** Every model node must have something that answers it: a turn of its own, one of the queue, or a live model. */
export function checkModels(
  data: JsonObject,
  { workflow, report }: PlacedWorkflow,
  { registry, runsOn }: { readonly registry: RegistryView; readonly runsOn: Workflow },
): void {
  const asks = (node: WorkflowNode): boolean => asksModel(node, (type) => registry.nodeTypeOf(type));
  const sourceOf = ({ config }: WorkflowNode): ModelSource =>
    registry.modelSource?.(textAt(config, 'backend') ?? '', runsOn) ?? NO_MODEL;
  if (registry.isLive === true) {
    warnOfUndeclared({ workflow, report }, asks, runsOn);
    checkLiveModels({ workflow, report }, asks, sourceOf);
    return;
  }
  const turns = tablesAt(tableAt(data, 'intel'), 'turns').map(({ table }) => table);
  const hasQueue = turns.some((turn) => textAt(turn, 'node') === undefined);
  if (hasQueue) return;
  const addressed = new Set(turns.map((turn) => textAt(turn, 'node')));
  for (const [index, node] of workflow.nodes.entries()) {
    if (!asks(node) || addressed.has(node.id)) continue;
    const source = sourceOf(node);
    // Functions answer scenarios that declare no turns.
    if (turns.length === 0 && source.kind === 'function') continue;
    report({
      code: 'no_turns',
      message: `Node "${node.id}" (${node.type}) asks a model, but no turn answers it.`,
      at: ['nodes', index, 'id'],
      hint:
        source.kind === 'endpoint'
          ? 'Declare its answers with [[intel.turns]], or ask its model with --live.'
          : 'Declare its answers with [[intel.turns]], or give the run a model.',
    });
  }
}

/** As in agentd a model is asked only for a backend that is declared, so that each run ends at such a node. */
function warnOfUndeclared(
  { workflow, report }: PlacedWorkflow,
  asks: (node: WorkflowNode) => boolean,
  { backends }: Workflow,
): void {
  for (const [index, node] of workflow.nodes.entries()) {
    const backend = textAt(node.config, 'backend') ?? '';
    if (!asks(node) || backend === 'default' || backends.some(({ name }) => name === backend)) continue;
    report({
      code: 'undeclared_backend',
      severity: 'warning',
      message: `Node "${node.id}" (${node.type}) asks "${backend}", which its workflow does not declare: each run ends there with an error.`,
      at: ['nodes', index, 'backend'],
      hint: `Declare it in the workflow that is run: [[intelligence.backends]] with name = "${backend}". Or write backend = "default".`,
    });
  }
}

const NO_MODEL: ModelSource = { kind: 'none', hint: 'Give the run a model.' };

/** In a live run models answer, whatever the turns say; a file without its model is not quietly run on turns. */
function checkLiveModels(
  { workflow, report }: PlacedWorkflow,
  asks: (node: WorkflowNode) => boolean,
  sourceOf: (node: WorkflowNode) => ModelSource,
): void {
  for (const [index, node] of workflow.nodes.entries()) {
    if (!asks(node)) continue;
    const source = sourceOf(node);
    if (source.kind !== 'none') continue;
    report({
      code: 'no_model',
      message: `Node "${node.id}" (${node.type}) asks "${textAt(node.config, 'backend') ?? ''}", which has no model in this live run.`,
      at: ['nodes', index, 'id'],
      hint: source.hint,
    });
  }
}

/** Turns beyond what any run can ask for, where the graph bounds that. */
export function checkUnusedTurns(data: JsonObject, workflows: RequestingWorkflows, report: Report): void {
  // Nobody knows how often a server asks.
  if (workflows.workflow.mcpServers.some(({ sampling }) => sampling !== undefined)) return;
  const turns = tablesAt(tableAt(data, 'intel'), 'turns').map(({ index, table }) => ({
    index,
    node: textAt(table, 'node'),
    repeats: valueAt(table, 'repeat') === true,
  }));
  // A node that turns are addressed to is served by those alone.
  const addressed = new Set(turns.map((turn) => turn.node));
  const lines = new Map<string | undefined, Line>();
  for (const { index, node, repeats } of turns) {
    const line = lines.get(node) ?? {
      turns: 0,
      most: mostRequests(workflows, ({ id }) => (node === undefined ? !addressed.has(id) : id === node)),
      repeats: false,
    };
    lines.set(node, { ...line, turns: line.turns + 1, repeats: line.repeats || repeats });
    // A turn for a node that asks no model is reported as that.
    if (!line.repeats && (line.turns < line.most || (node !== undefined && line.most === 0))) continue;
    report({
      code: 'unused_turn',
      severity: 'warning',
      message: line.repeats
        ? `An earlier turn for node "${node}" repeats, so this turn is never used.`
        : `A run asks for at most ${answers(line.most)} ${node === undefined ? 'from the queue' : `for node "${node}"`}, so this turn is never used.`,
      at: ['intel', 'turns', index],
      hint: 'Remove it, or give the workflow a use for it.',
    });
  }
}

/** Turns that serve the same requests, as far as they have been looked at. */
interface Line {
  readonly turns: number;
  readonly most: number;
  readonly repeats: boolean;
}

function answers(count: number): string {
  return count === 1 ? '1 answer' : `${count} answers`;
}
