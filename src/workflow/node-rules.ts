import { hintFor } from '../source/did-you-mean.ts';
import type { JsonObject } from '../types/json.ts';
import type { Draft, DraftNode } from './draft.ts';
import { checkHeaders, type DeclaredHeaders } from './header-rules.ts';
import { numberAt, tableAt, textAt, textsAt } from './raw-data.ts';
import type { Report } from './report.ts';

/** What single nodes of some types must keep to, type by type in the order of the validator's codes. */
export function checkNodes(draft: Draft, report: Report): void {
  for (const [types, rule] of RULES) {
    for (const node of draft.nodes) {
      if (node.config !== null && types.includes(node.type)) rule(node, node.config, report, draft);
    }
  }
}

type NodeRule = (node: DraftNode, config: JsonObject, report: Report, draft: Draft) => void;

const RULES: readonly (readonly [types: readonly string[], rule: NodeRule])[] = [
  [['call_mcp_tool', 'read_mcp_resource'], checkMcpServer],
  [['agent_loop'], checkAgentLoop],
  [['respond'], checkRespond],
  [['map'], checkMap],
  [['http_request'], (node, config, report) => checkHeaders(headersOf(node, config), report)],
];

function headersOf({ id, index }: DraftNode, config: JsonObject): DeclaredHeaders {
  return { owner: `Node "${id}"`, headers: tableAt(config, 'headers'), at: ['nodes', index, 'headers'] };
}

function checkMcpServer(
  node: DraftNode,
  config: JsonObject,
  report: Report,
  { mcpServers: servers }: Pick<Draft, 'mcpServers'>,
): void {
  const server = textAt(config, 'server');
  if (server === undefined) {
    if (servers.length < 2) return;
    report({
      code: 'ambiguous_mcp_server',
      message: `Node "${node.id}" names no server, and ${servers.length} are declared.`,
      at: ['nodes', node.index, 'id'],
      hint: `Name one of them with server: ${servers.join(', ')}.`,
    });
    return;
  }
  if (servers.includes(server)) return;
  report({
    code: 'unknown_mcp_server',
    message: `Node "${node.id}" uses MCP server "${server}", which is not declared.`,
    at: ['nodes', node.index, 'server'],
    hint: () => hintFor(server, servers, 'MCP servers'),
  });
}

/** Tools that an agent loop can offer to its model. */
const LOOP_TOOLS = ['read_file', 'write_file', 'read_env', 'http_request', 'shell_run', 'call_mcp_tool'];
const MOST_STEPS = 64;

function checkAgentLoop(node: DraftNode, config: JsonObject, report: Report): void {
  const at = ['nodes', node.index];
  const steps = numberAt(config, 'maxSteps') ?? 0;
  if (steps < 1 || steps > MOST_STEPS) {
    report({
      code: 'agent_loop_steps_out_of_range',
      message: `Node "${node.id}" allows ${steps} steps; it must be 1 to ${MOST_STEPS}.`,
      at: [...at, 'max_steps'],
      hint: `Set max_steps to at most ${MOST_STEPS}.`,
    });
  }
  if (textAt(config, 'instructions') === undefined && textAt(config, 'instructionsFrom') === undefined) {
    report({
      code: 'agent_loop_missing_instructions',
      message: `Node "${node.id}" has no task.`,
      at: [...at, 'id'],
      hint: 'Give it instructions or instructions_from.',
    });
  }
  const tools = textsAt(config, 'tools');
  if (tools.length === 0) {
    report({
      code: 'agent_loop_no_tools',
      message: `Node "${node.id}" offers no tools.`,
      at: [...at, config.tools === undefined ? 'id' : 'tools'],
      hint: `Offer at least one of ${LOOP_TOOLS.join(', ')}, or use llm_infer.`,
    });
  }
  for (const [position, tool] of tools.entries()) {
    if (LOOP_TOOLS.includes(tool)) continue;
    report({
      code: 'agent_loop_unknown_tool',
      message: `Node "${node.id}" offers tool "${tool}", which does not exist.`,
      at: [...at, 'tools', position],
      hint: () => hintFor(tool, LOOP_TOOLS, 'tools'),
    });
  }
}

function checkRespond(node: DraftNode, config: JsonObject, report: Report): void {
  const status = numberAt(config, 'status');
  if (status !== undefined && (status < 100 || status > 599)) {
    report({
      code: 'respond_status_out_of_range',
      message: `Node "${node.id}" replies with status ${status}; it must be 100 to 599.`,
      at: ['nodes', node.index, 'status'],
      hint: 'Use a valid HTTP status.',
    });
  }
  if (textAt(config, 'contentType')?.trim() === '') {
    report({
      code: 'respond_empty_content_type',
      message: `Node "${node.id}" has a blank content type.`,
      at: ['nodes', node.index, 'content_type'],
      hint: 'Leave content_type out for application/json.',
    });
  }
}

function checkMap(node: DraftNode, config: JsonObject, report: Report): void {
  const at = ['nodes', node.index];
  if (numberAt(config, 'maxItems') === 0) {
    report({
      code: 'map_zero_max_items',
      message: `Node "${node.id}" accepts no elements: max_items is 0.`,
      at: [...at, 'max_items'],
      hint: 'Set max_items to at least 1.',
    });
  }
  if (numberAt(config, 'maxConcurrent') === 0) {
    report({
      code: 'map_zero_concurrency',
      message: `Node "${node.id}" can run no element: max_concurrent is 0.`,
      at: [...at, 'max_concurrent'],
      hint: 'Set max_concurrent to at least 1, or leave it out for 4.',
    });
  }
  if (textAt(config, 'workflow')?.trim() === '') {
    report({
      code: 'map_empty_workflow',
      message: `Node "${node.id}" names no workflow to run.`,
      at: [...at, 'workflow'],
      hint: 'Name a workflow file.',
    });
  }
}
