import type { NodeSchema } from '../workflow/node-schema.ts';
import { mcpServerProblems } from './mcp/mcp-server-problems.ts';
import { agentLoopSchema, checkAgentLoop } from './nodes/agent-loop.schema.ts';
import { callMcpToolSchema } from './nodes/call-mcp-tool.schema.ts';
import { callSchema } from './nodes/call.schema.ts';
import { conditionSchema } from './nodes/condition.schema.ts';
import { createDirSchema } from './nodes/create-dir.schema.ts';
import { diffComputeSchema } from './nodes/diff-compute.schema.ts';
import { failSchema } from './nodes/fail.schema.ts';
import { checkHttpRequest, httpRequestSchema } from './nodes/http-request.schema.ts';
import { jsonSelectSchema } from './nodes/json-select.schema.ts';
import { llmInferSchema } from './nodes/llm-infer.schema.ts';
import { checkMap, mapSchema } from './nodes/map.schema.ts';
import { mergeSchema } from './nodes/merge.schema.ts';
import { parallelSchema } from './nodes/parallel.schema.ts';
import { parseJsonSchema } from './nodes/parse-json.schema.ts';
import { pauseForApprovalSchema } from './nodes/pause-for-approval.schema.ts';
import { readEnvSchema } from './nodes/read-env.schema.ts';
import { readFileSchema } from './nodes/read-file.schema.ts';
import { readMcpResourceSchema } from './nodes/read-mcp-resource.schema.ts';
import { checkRespond, respondSchema } from './nodes/respond.schema.ts';
import { shellRunSchema } from './nodes/shell-run.schema.ts';
import { switchSchema } from './nodes/switch.schema.ts';
import { templateRenderSchema } from './nodes/template-render.schema.ts';
import { terminateSchema } from './nodes/terminate.schema.ts';
import { writeFileSchema } from './nodes/write-file.schema.ts';

const schemas: readonly NodeSchema[] = [
  { type: 'read_file', schema: readFileSchema },
  { type: 'read_env', schema: readEnvSchema },
  checked({ type: 'read_mcp_resource', schema: readMcpResourceSchema, check: mcpServerProblems }),
  { type: 'parse_json', schema: parseJsonSchema },
  { type: 'template_render', schema: templateRenderSchema },
  { type: 'diff_compute', schema: diffComputeSchema },
  { type: 'json_select', schema: jsonSelectSchema },
  { type: 'llm_infer', schema: llmInferSchema },
  checked({ type: 'agent_loop', schema: agentLoopSchema, check: checkAgentLoop }),
  { type: 'write_file', schema: writeFileSchema },
  { type: 'create_dir', schema: createDirSchema },
  checked({ type: 'http_request', schema: httpRequestSchema, check: checkHttpRequest }),
  checked({ type: 'call_mcp_tool', schema: callMcpToolSchema, check: mcpServerProblems }),
  { type: 'shell_run', schema: shellRunSchema },
  { type: 'call', schema: callSchema },
  { type: 'parallel', schema: parallelSchema },
  checked({ type: 'map', schema: mapSchema, check: checkMap }),
  { type: 'condition', schema: conditionSchema },
  { type: 'switch', schema: switchSchema },
  { type: 'merge', schema: mergeSchema, tolerant: true },
  { type: 'fail', schema: failSchema },
  { type: 'pause_for_approval', schema: pauseForApprovalSchema },
  checked({ type: 'respond', schema: respondSchema, check: checkRespond }),
  { type: 'terminate', schema: terminateSchema, tolerant: true },
];

/** What each built-in node type accepts; main thread only, because it pulls in TypeBox. */
export const builtinNodeSchemas: ReadonlyMap<string, NodeSchema> = new Map(
  schemas.map((schema) => [schema.type, schema]),
);

/** A check of a config that its schema gives the shape C. */
function checked<C>(schema: NodeSchema<C>): NodeSchema {
  return schema as unknown as NodeSchema;
}
