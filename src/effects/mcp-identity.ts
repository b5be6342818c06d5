import path from 'node:path';
import type { McpServer } from '../types/workflow.ts';
import type { McpAnswers } from './mcp-answers.ts';

export interface McpIdentityOptions {
  /** The scenario's file, which programs run beside. */
  readonly scenarioFile: string;
  readonly answers: McpAnswers;
}

/** What makes an MCP server another one before its secrets are known. Servers of the same identity may be the same process. */
export function mcpIdentity(server: McpServer, { scenarioFile, answers }: McpIdentityOptions): string {
  const { command, env, url, headers = {} } = server;
  const { sampling, elicitation } = answers;
  const place = url === undefined ? [path.dirname(scenarioFile), command, env] : [url, headers];
  return JSON.stringify([sampling, elicitation, ...place]);
}
