import { builtinNodeSchemas } from '../../src/engine/node-schemas.ts';
import type { JsonObject } from '../../src/types/json.ts';

/** The built-in node types with the labels they can give, without their behaviour. */
export const tinyRegistry = {
  nodeSchemas: builtinNodeSchemas,
  labelsOf: (type: string, _config: JsonObject): readonly string[] | 'any' => LABELS[type] ?? [],
};

const LABELS: Readonly<Record<string, readonly string[] | 'any'>> = {
  condition: ['true', 'false'],
  switch: 'any',
  agent_loop: ['exhausted'],
  http_request: ['error'],
  call_mcp_tool: ['error'],
  shell_run: ['error'],
  call: ['error'],
  parallel: ['error'],
  map: ['error'],
};
