import { contextAttackTypes } from '../../faults/chaos/context-attack-types.ts';
import { toolFaultTypes } from '../../faults/chaos/tool-fault-types.ts';
import { hasChaos } from '../../faults/chaos/fault-labels.ts';
import { type FindNodeType, nodeCalls } from '../../plugin/node-calls.ts';
import type { NodeType, OutsideCall } from '../../plugin/node-type.ts';
import type { ContextAttack, ToolFault } from '../../types/chaos.ts';
import type { Json } from '../../types/json.ts';
import type { WorkflowScenario } from '../../types/scenario.ts';
import type { Workflow, WorkflowNode } from '../../types/workflow.ts';
import { isBorne, namesOfNode } from './tool-names.ts';

/**
 * The scenario with its faults and attacks marked that nothing can fail by: its model answers from written turns, which
 * read no prompt, and what is put into results and documents reaches nothing but prompts. They strike, and prove nothing.
 * Only for scenarios in which nobody but the turns answers for the model.
 */
export function withUnreadMarked(scenario: WorkflowScenario, nodeTypeOf: FindNodeType): WorkflowScenario {
  const { chaos } = scenario.faults;
  if (!hasChaos(chaos)) return scenario;
  const toolFaults = chaos.toolFaults.map(
    (fault): ToolFault => (isUnreadFault(fault, scenario, nodeTypeOf) ? { ...fault, unread: true } : fault),
  );
  const contextAttacks = chaos.contextAttacks.map(
    (attack): ContextAttack => (isUnreadAttack(attack, scenario, nodeTypeOf) ? { ...attack, unread: true } : attack),
  );
  if (![...toolFaults, ...contextAttacks].some(({ unread }) => unread === true)) return scenario;
  return { ...scenario, faults: { ...scenario.faults, chaos: { ...chaos, toolFaults, contextAttacks } } };
}

/** True: whatever this attack puts somewhere, no answer and no step depends on it. False where that is not certain. */
export function isUnreadAttack(attack: ContextAttack, scenario: WorkflowScenario, nodeTypeOf: FindNodeType): boolean {
  const { workflow, children, turns } = scenario.subject;
  if (!readsNothing(turns)) return false;
  const { strikes } = contextAttackTypes[attack.type];
  if (strikes === 'prompt') return true;
  const isStruck = strikes === 'result' ? isTool : isDocument;
  if (Object.keys(children).length > 0) return false;
  return !reachesMore(workflow, { nodeTypeOf, isStruck: (node) => isAnyOf(node, nodeTypeOf, isStruck) });
}

/** The same of a fault that gives a tool another body: one whose node goes on in one way only, and only to prompts. */
export function isUnreadFault(fault: ToolFault, scenario: WorkflowScenario, nodeTypeOf: FindNodeType): boolean {
  const { mode, matchUrl, tool } = fault;
  const { workflow, children, turns } = scenario.subject;
  if (toolFaultTypes[mode].isBody !== true) return false;
  if (!readsNothing(turns) || Object.keys(children).length > 0) return false;
  const isStruck = (node: WorkflowNode): boolean =>
    isAnyOf(node, nodeTypeOf, isTool) &&
    (matchUrl !== null || isBorne(tool, namesOfNode(node, nodeTypeOf, workflow.mcpServers)));
  // A body in place of an error, or an error in place of a body, leads elsewhere.
  const turnsOff = workflow.nodes.some(
    (node) => isStruck(node) && workflow.edges.some(({ from, when }) => from === node.id && when !== undefined),
  );
  return !turnsOff && workflow.nodes.some(isStruck) && !reachesMore(workflow, { nodeTypeOf, isStruck });
}

/** Written turns answer for the model; a fault of one may look at the request. */
function readsNothing(turns: WorkflowScenario['subject']['turns']): boolean {
  return turns.length > 0 && !turns.some(({ variants }) => variants.some(({ fault }) => fault !== undefined));
}

/** True: some call of the node is one of these; of a node that nobody knows, it may be. */
function isAnyOf(node: WorkflowNode, nodeTypeOf: FindNodeType, isOne: (call: OutsideCall) => boolean): boolean {
  return nodeCalls(node, nodeTypeOf)?.some(isOne) ?? true;
}

function isTool({ port }: OutsideCall): boolean {
  return port === 'http' || port === 'process' || port === 'mcp';
}

/** Its result is a document. */
function isDocument(call: OutsideCall): boolean {
  switch (call.port) {
    case 'http':
      return (call.method ?? 'GET') === 'GET';
    case 'mcp':
      return call.op === 'resource';
    case 'file':
      return call.op === 'read';
    case 'process':
    case 'env':
      return false;
  }
}

interface Struck {
  readonly nodeTypeOf: FindNodeType;
  readonly isStruck: (node: WorkflowNode) => boolean;
}

/** Whether something of these nodes' outputs comes to more than prompts: an answer, a branch, a request. */
function reachesMore({ nodes, edges }: Workflow, { nodeTypeOf, isStruck }: Struck): boolean {
  const carriers = nodes.filter(isStruck);
  for (const carrier of carriers) {
    // What follows nothing is the value of the run.
    if (!edges.some(({ from }) => from === carrier.id)) return true;
    // What a loop hears of its tools goes to its model, and whatever it makes of that is not known here.
    if (nodeTypeOf(carrier.type)?.isLoop === true) return true;
    for (const reader of nodes.filter(({ config }) => mentions(config, carrier.id))) {
      const passesTo: NodeType['passesTo'] = nodeTypeOf(reader.type)?.passesTo;
      if (passesTo === 'requests') continue;
      if (passesTo === undefined) return true;
      if (!carriers.includes(reader)) carriers.push(reader);
    }
  }
  return false;
}

/** Whether a context path in the configuration begins at the node. */
function mentions(value: Json | undefined, id: string): boolean {
  if (typeof value === 'string') return value === id || value.startsWith(`${id}.`) || value.startsWith(`${id}[`);
  if (value === null || typeof value !== 'object') return false;
  return Object.values(value).some((part) => mentions(part, id));
}
