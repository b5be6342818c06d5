import { isPromptAttack } from '../faults/chaos/compile-chaos.ts';
import { hasChaos } from '../faults/chaos/fault-labels.ts';
import type { ContextAttack } from '../types/chaos.ts';
import type { Json } from '../types/json.ts';
import type { WorkflowScenario } from '../types/scenario.ts';
import type { Workflow, WorkflowNode } from '../types/workflow.ts';

/**
 * The scenario with its context attacks marked that nothing can fail by: its model answers from written turns, which read
 * no prompt, and what is put into results and documents reaches nothing but prompts. They strike, and prove nothing.
 * Only for scenarios in which nobody but the turns answers for the model.
 */
export function withUnreadMarked(scenario: WorkflowScenario): WorkflowScenario {
  const { chaos } = scenario.faults;
  if (!hasChaos(chaos) || chaos.contextAttacks.length === 0) return scenario;
  const contextAttacks = chaos.contextAttacks.map(
    (attack): ContextAttack => (isUnread(attack, scenario) ? { ...attack, unread: true } : attack),
  );
  return { ...scenario, faults: { ...scenario.faults, chaos: { ...chaos, contextAttacks } } };
}

/** True: whatever this attack puts somewhere, no answer and no step depends on it. False where that is not certain. */
export function isUnread(attack: ContextAttack, { subject }: WorkflowScenario): boolean {
  const { workflow, children, turns } = subject;
  // A fault of a turn may look at the request.
  if (turns.length === 0 || turns.some(({ variants }) => variants.some(({ fault }) => fault !== undefined)))
    return false;
  if (isPromptAttack(attack)) return true;
  const isStruck = attack.type === 'indirect_injection' ? isTool : isDocument;
  return Object.keys(children).length === 0 && !reachesMore(workflow, isStruck);
}

/** Nodes that take in neither results of tools nor documents. */
const QUIET = new Set([
  ...['condition', 'create_dir', 'diff_compute', 'fail', 'json_select', 'llm_infer', 'merge', 'parse_json'],
  ...['pause_for_approval', 'read_env', 'respond', 'switch', 'template_render', 'terminate', 'write_file'],
]);

/** Its result is one of a tool; of a node that is not known, it may be. */
function isTool({ type }: WorkflowNode): boolean {
  return type !== 'read_file' && !QUIET.has(type);
}

/** It gives a document; of a node that is not known, it may. */
function isDocument({ type, config }: WorkflowNode): boolean {
  if (type === 'http_request') return String(config['method'] ?? 'GET').toUpperCase() === 'GET';
  return type !== 'shell_run' && type !== 'call_mcp_tool' && !QUIET.has(type);
}

/** Whether something of these nodes' outputs comes to more than prompts: an answer, a branch, a request. */
function reachesMore({ nodes, edges }: Workflow, isStruck: (node: WorkflowNode) => boolean): boolean {
  const carriers = nodes.filter(isStruck);
  for (const carrier of carriers) {
    // What follows nothing is the value of the run.
    if (!edges.some(({ from }) => from === carrier.id)) return true;
    // What an agent loop hears of its tools goes to its model, and whatever it makes of that is not known here.
    if (carrier.type === 'agent_loop') return true;
    for (const reader of nodes.filter(({ config }) => mentions(config, carrier.id))) {
      if (reader.type === 'llm_infer') continue;
      if (reader.type !== 'template_render') return true;
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
