import type { Policy } from '../types/policy.ts';
import type { McpServer } from '../types/workflow.ts';
import { envRule, type FamilyRule } from './env-rule.ts';
import { fileRule } from './file-rule.ts';
import { httpRule } from './http-rule.ts';
import { mcpRule } from './mcp-rule.ts';
import type { PolicyQuestion, ResolvePath } from './policy-question.ts';
import { shellRule } from './shell-rule.ts';

/** The subject's policy, compiled once. */
export interface PolicyGate {
  /** Patterns that can never match, and why. */
  readonly problems: readonly string[];
  /** Null: allowed. Else why not, without the `policy violation: ` prefix. Nothing has happened by then. */
  decide(question: PolicyQuestion, resolvePath: ResolvePath): string | null;
}

export interface PolicyOptions {
  /** The workflow's `[[mcp_servers]]`; what one lists binds even without a policy. */
  readonly mcpServers: readonly McpServer[];
}

/**
 * Compiles the policy in force. None: everything is allowed, but for the allowlists of MCP servers. One that is there
 * denies whatever no pattern allows.
 */
export function createPolicy(policy: Policy | null, options: PolicyOptions): PolicyGate {
  const mcp = mcpRule(policy?.mcp ?? null, options.mcpServers);
  const file = policy === null ? null : fileRule(policy.fs);
  const env = policy === null ? null : envRule(policy.env);
  const http = policy === null ? null : httpRule(policy.http);
  const shell = policy === null ? null : shellRule(policy.shell);
  const rules: readonly (FamilyRule | null)[] = [file, env, http, shell, mcp];

  return {
    problems: rules.flatMap((rule) => rule?.problems ?? []),
    decide: (question, resolvePath) => {
      switch (question.port) {
        case 'file':
          return file === null ? null : file.decide(question, resolvePath);
        case 'env':
          return env === null ? null : env.decide(question);
        case 'http':
          return http === null ? null : http.decide(question);
        case 'process':
          return shell === null ? null : shell.decide(question, resolvePath);
        case 'mcp':
          return mcp.decide(question);
        case 'model':
        case 'children':
        case 'host':
          return null;
      }
    },
  };
}
