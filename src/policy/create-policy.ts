import type { Policy } from '../types/policy.ts';
import type { McpServer } from '../types/workflow.ts';
import { countWork } from '../values/work.ts';
import { type EnvRule, envRule, type FamilyRule } from './env-rule.ts';
import { type FileRule, fileRule } from './file-rule.ts';
import { type HttpRule, httpRule } from './http-rule.ts';
import { type McpRule, mcpRule } from './mcp-rule.ts';
import type { PolicyQuestion, ResolvePath } from './policy-question.ts';
import { type ShellRule, shellRule } from './shell-rule.ts';

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
  return new CompiledPolicy(policy, options.mcpServers);
}

/** Most scenarios ask about one family at most, so each is compiled when it is first asked about. */
class CompiledPolicy implements PolicyGate {
  private readonly policy: Policy | null;
  private readonly mcpServers: readonly McpServer[];
  /** How many patterns there are in all. */
  private readonly patterns: number;
  private file: FileRule | null = null;
  private env: EnvRule | null = null;
  private http: HttpRule | null = null;
  private shell: ShellRule | null = null;
  private mcp: McpRule | null = null;

  constructor(policy: Policy | null, mcpServers: readonly McpServer[]) {
    this.policy = policy;
    this.mcpServers = mcpServers;
    this.patterns = policy === null ? 0 : patternsIn(policy);
  }

  get problems(): readonly string[] {
    const { policy } = this;
    const rules =
      policy === null ? [] : [this.ofFiles(policy), this.ofEnv(policy), this.ofHttp(policy), this.ofShell(policy)];
    return [...rules, this.ofMcp(policy)].flatMap((rule: FamilyRule) => rule.problems);
  }

  decide(question: PolicyQuestion, resolvePath: ResolvePath): string | null {
    const { policy } = this;
    countWork(this.patterns);
    if (question.port === 'mcp') return this.ofMcp(policy).decide(question);
    if (policy === null) return null;
    switch (question.port) {
      case 'file':
        return this.ofFiles(policy).decide(question, resolvePath);
      case 'env':
        return this.ofEnv(policy).decide(question);
      case 'http':
        return this.ofHttp(policy).decide(question);
      case 'process':
        return this.ofShell(policy).decide(question, resolvePath);
      case 'client':
      case 'model':
      case 'children':
      case 'host':
        return null;
    }
  }

  private ofFiles({ fs }: Policy): FileRule {
    this.file ??= fileRule(fs);
    return this.file;
  }

  private ofEnv({ env }: Policy): EnvRule {
    this.env ??= envRule(env);
    return this.env;
  }

  private ofHttp({ http }: Policy): HttpRule {
    this.http ??= httpRule(http);
    return this.http;
  }

  private ofShell({ shell }: Policy): ShellRule {
    this.shell ??= shellRule(shell);
    return this.shell;
  }

  private ofMcp(policy: Policy | null): McpRule {
    this.mcp ??= mcpRule(policy?.mcp ?? null, this.mcpServers);
    return this.mcp;
  }
}

function patternsIn({ fs, env, http, shell, mcp }: Policy): number {
  const lists = [fs.read, fs.write, env.readKeys, http.urls, shell.commands, mcp.servers, mcp.tools, mcp.resources];
  return lists.reduce((sum, list) => sum + list.length, 0);
}
