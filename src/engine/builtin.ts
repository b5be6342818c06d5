import type { NodeType } from '../plugin/node-type.ts';
import { agentLoop } from './nodes/agent-loop.ts';
import { call } from './nodes/call.ts';
import { callMcpTool } from './nodes/call-mcp-tool.ts';
import { condition } from './nodes/condition.ts';
import { createDir } from './nodes/create-dir.ts';
import { diffCompute } from './nodes/diff-compute.ts';
import { fail } from './nodes/fail.ts';
import { httpRequest } from './nodes/http-request.ts';
import { jsonSelect } from './nodes/json-select.ts';
import { llmInfer } from './nodes/llm-infer.ts';
import { map } from './nodes/map.ts';
import { merge } from './nodes/merge.ts';
import { parallel } from './nodes/parallel.ts';
import { parseJson } from './nodes/parse-json.ts';
import { pauseForApproval } from './nodes/pause-for-approval.ts';
import { readEnv } from './nodes/read-env.ts';
import { readFile } from './nodes/read-file.ts';
import { readMcpResource } from './nodes/read-mcp-resource.ts';
import { respond } from './nodes/respond.ts';
import { shellRun } from './nodes/shell-run.ts';
import { switchNode } from './nodes/switch.ts';
import { templateRender } from './nodes/template-render.ts';
import { terminate } from './nodes/terminate.ts';
import { writeFile } from './nodes/write-file.ts';

// Each config type stands with its node; the loader has checked a config by the schema of the same type before it
// reaches `create`, so the types may be forgotten here.
/** Every built-in node type. */
export const builtinNodes = [
  agentLoop,
  call,
  callMcpTool,
  condition,
  createDir,
  diffCompute,
  fail,
  httpRequest,
  jsonSelect,
  llmInfer,
  map,
  merge,
  parallel,
  parseJson,
  pauseForApproval,
  readEnv,
  readFile,
  readMcpResource,
  respond,
  shellRun,
  switchNode,
  templateRender,
  terminate,
  writeFile,
] as unknown as readonly NodeType[];
