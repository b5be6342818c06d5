import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { Answer } from '../../plugin/request.ts';
import type { McpQuestion, McpRequest } from '../../plugin/mcp-request.ts';
import type { Json } from '../../types/json.ts';
import { SCENARIO_DIR } from '../../policy/canonical-path.ts';
import { canonicalUrl } from '../../policy/canonical-url.ts';
import { visibleText } from '../../text/visible-text.ts';
import type { Grant, Permissions } from '../../types/permissions.ts';
import type { McpServer } from '../../types/workflow.ts';
import { brokenAnswer, errorAnswer } from '../answers.ts';
import type { EffectCall, McpEffect } from '../effect.ts';
import { mcpAnswersFor } from '../mcp-answers.ts';
import { mcpIdentity } from '../mcp-identity.ts';
import { mcpErrorText } from '../outside-errors.ts';
import { HTTP_LIMITS } from './http/http-limits.ts';
import { mcpAnswer, mcpError } from './mcp-answer.ts';
import { toolListAnswer } from './mcp-tool-list.ts';
import { HttpTransport } from './mcp-http.ts';
import type { McpAsking, McpOutcome } from './mcp-connection.ts';
import { MCP_LIMITS, type McpLimits, type McpLink } from './mcp-link.ts';
import { McpLinks } from './mcp-links.ts';
import { loadMcpSdk, type McpSdk } from './mcp-sdk.ts';
import { StdioTransport } from './mcp-stdio.ts';
import type { McpTransport } from './mcp-transport.ts';
import { compileNetGrant, type NetGrant } from './net-grant.ts';
import { findProgram, onProgramPath, PROGRAM_PATH, refuseProgram } from './granted-programs.ts';
import { requestHeaders } from './request-headers.ts';
import { createSecrets } from './secrets.ts';
import { type WorkflowSecrets, workflowSecrets } from './workflow-secrets.ts';
import { exactJsonText } from '../../values/exact-json.ts';
import { traceHeaders } from '../../values/trace-context.ts';

export interface McpEffectOptions {
  /** What `${SCENARIO_DIR}` in a command stands for, and where servers run; null: the scenario was made in memory. */
  readonly scenarioDir?: string | null;
  /** As reports name it, for `mcpIdentity`; absent: nobody asks which servers are needed. */
  readonly scenarioFile?: string;
  readonly limits?: Partial<McpLimits>;
  /** Those of other effects, so that what one sends the others do not show; absent: its own. */
  readonly secrets?: WorkflowSecrets;
  /** Those of the worker, which closes them; absent: its own. */
  readonly links?: McpLinks;
  /** Names of the servers whose questions to a user are answered; absent: none is. */
  readonly elicits?: ReadonlySet<string>;
  /** What a trial has in all: it waits for a server that has never been up for less. Absent: as long as the server may take. */
  readonly timeoutMs?: number;
  /** The run that servers are told of; absent: they are told nothing. */
  readonly traceRun?: string | undefined;
  /** Finds the addresses of a host, as `dns.lookup` does. */
  readonly lookup?: LookupFunction;
  /** The optional peer; null: not installed. */
  readonly loadSdk?: () => Promise<McpSdk | null>;
}

/**
 * Real MCP servers: programs that `--allow-run` grants, addresses that `--allow-net` grants. Each is connected when it is
 * first asked and serves all trials of the worker, whatever their scenario. Which tools and resources may be used is the subject's policy.
 */
export function createMcpEffect(
  permissions: Permissions,
  servers: readonly McpServer[],
  env: Readonly<Record<string, string | undefined>>,
  options: McpEffectOptions = {},
): McpEffect {
  const {
    scenarioDir = null,
    scenarioFile = '',
    limits,
    elicits = NOBODY,
    timeoutMs,
    traceRun,
    lookup = systemLookup,
    loadSdk = loadMcpSdk,
  } = options;
  const parts: Parts = {
    permissions,
    net: compileNetGrant(permissions.net),
    secrets:
      options.secrets ??
      workflowSecrets([], {
        secrets: createSecrets(env, permissions.env),
        permissions,
        env,
        folder: scenarioDir,
        lookup,
      }),
    scenarioDir,
    lookup,
  };
  const byName = new Map(servers.map((server) => [server.name, server]));
  const links = options.links ?? new McpLinks();
  let closed = false;

  const refusal = (request: McpRequest): string | null => {
    const server = choose(request.server, byName);
    return 'problem' in server ? null : refuse(server, parts);
  };

  /** Does the work with the chosen server, if it may be asked. */
  const withServer = async <T>(
    name: string | null,
    work: (link: McpLink, to: Asked) => Promise<T>,
  ): Promise<T | Answer> => {
    const server = choose(name, byName);
    if ('problem' in server) return errorAnswer(server.problem, 'effect', 'workflow');
    const refused = refuse(server, parts);
    if (refused !== null) return brokenAnswer(refused);
    if (closed) return brokenAnswer('The request came after the run had ended.');
    const open = await prepare(server, parts);
    if ('problem' in open) return brokenAnswer(`MCP server ${visibleText(server.name)}: ${open.problem}.`);
    const answers = mcpAnswersFor(server, elicits);
    const linkOptions = { limits: { ...MCP_LIMITS, ...limits }, answers, loadSdk, open: open.open };
    const patience = timeoutMs === undefined ? {} : { firstMs: Math.floor(timeoutMs * FIRST_SHARE) };
    // What is answered is told when a server is connected, so that it makes another one of it.
    const key = `${answers.sampling} ${answers.elicitation} ${open.key}`;
    const identity = mcpIdentity(server, { scenarioFile, answers });
    const outcome = await links.use({ key, identity }, linkOptions, (link) => work(link, { server, patience }));
    return outcome ?? mcpError(server.name, 'was closed before it answered');
  };

  return {
    refusal,
    perform: (request, { scenario, trial, signal, over }) =>
      withServer(request.server, async (link, { server: { name }, patience }) => {
        const trace = traceRun === undefined ? null : traceHeaders(traceRun, scenario, trial);
        const { resume } = request;
        const asking = {
          signal,
          ...patience,
          trial: `${trial} ${scenario}`,
          ...(over && { over }),
          ...(resume && { resume }),
        };
        const outcome = await ask(link, request, trace, asking);
        return answerOf(outcome, name, request, parts.secrets.scrub);
      }),
    listTools: (server, mocked, { signal }: EffectCall) =>
      withServer(server, async (link, { server: { name }, patience }) => {
        const { scrub } = parts.secrets;
        const outcome = await link.listTools({ signal, ...patience });
        if (outcome.kind !== 'result') return failureOf(outcome, name, scrub);
        const answer = toolListAnswer(outcome.value, mocked, scrub);
        return typeof answer === 'string' ? mcpError(name, answer) : answer;
      }),
    close: async () => {
      closed = true;
      if (options.links === undefined) await links.close();
    },
  };
}

const NOBODY: ReadonlySet<string> = new Set();
/** The share of a trial's time that it waits for a server which has never been up: what is left is for saying so. */
const FIRST_SHARE = 0.9;

interface Asked {
  readonly server: McpServer;
  readonly patience: Pick<McpAsking, 'firstMs'>;
}

type Open = (sdk: McpSdk) => McpTransport;

interface Parts {
  readonly permissions: Permissions;
  readonly net: NetGrant;
  readonly secrets: WorkflowSecrets;
  readonly scenarioDir: string | null;
  readonly lookup: LookupFunction;
}

/** The named server, else the only one. In the words of mocks. */
function choose(
  server: string | null,
  byName: ReadonlyMap<string, McpServer>,
): McpServer | { readonly problem: string } {
  const [only] = byName.values();
  if (server === null) {
    if (only === undefined) return { problem: 'no mcp_servers configured' };
    return byName.size === 1 ? only : { problem: '`server` field required' };
  }
  const names = [...byName.keys()].map((name) => visibleText(name)).join(', ');
  return byName.get(server) ?? { problem: `unknown mcp server \`${visibleText(server)}\`; configured: [${names}]` };
}

function refuse(server: McpServer, { permissions, net, secrets, scenarioDir }: Parts): string | null {
  if (server.url === undefined) {
    const [name = ''] = commandOf(server, scenarioDir);
    return refuseCommand(permissions.run, name) ?? secrets.refusal(server.env);
  }
  const url = canonicalUrl(server.url);
  return ('problem' in url ? null : net.refuseUrl(url)) ?? secrets.refusal(server.headers ?? {});
}

/** How a server is reached, its secrets in place, and what tells it from others; or why it cannot be. */
async function prepare(
  server: McpServer,
  parts: Parts,
): Promise<{ readonly open: Open; readonly key: string } | { readonly problem: string }> {
  const { secrets, net: grant, lookup, scenarioDir } = parts;
  const { scrub } = secrets;
  const filled = await (server.url === undefined
    ? secrets.fill(server.env, 'variable')
    : secrets.fill(server.headers ?? {}, 'header'));
  if ('problem' in filled) return filled;
  if (server.url === undefined) {
    const [name = '', ...args] = commandOf(server, scenarioDir);
    const path = pathOf(name);
    if (path === null) {
      return {
        problem: `there is no program ${visibleText(name)}; name one in ${PROGRAM_PATH} or by an absolute path`,
      };
    }
    const found = findProgram(path);
    if (found.kind === 'failed') return { problem: found.text };
    const start = { file: found.file, name, args, env: filled.values, cwd: scenarioDir, scrub };
    const { file, cwd } = start;
    const key = JSON.stringify([file, name, args, filled.values, cwd]);
    return { open: (sdk) => new StdioTransport(start, sdk), key };
  }
  const url = canonicalUrl(server.url);
  if ('problem' in url) return url;
  const whole = requestHeaders(filled.values, false, HTTP_LIMITS);
  if ('problem' in whole) return whole;
  const { headers } = whole;
  const key = JSON.stringify([url.href, headers]);
  return { open: (sdk) => new HttpTransport({ url, headers, grant, lookup, scrub }, sdk), key };
}

function refuseCommand(run: Grant, name: string): string | null {
  const path = pathOf(name);
  // A program that is not there needs no flag: what is wrong with it is told when it is asked.
  if (path === null || refuseProgram(run, path) === null) return null;
  const shown = visibleText(name);
  return `The program ${shown} needs --allow-run=${shown}.`;
}

/** Unlike `shell_run`, a server may be named as users do: by what the system's folders hold under that name. */
function pathOf(name: string): string | null {
  return name.startsWith('/') ? name : onProgramPath(name);
}

function commandOf({ command }: McpServer, scenarioDir: string | null): readonly string[] {
  return scenarioDir === null ? command : command.map((part) => part.replaceAll(SCENARIO_DIR, () => scenarioDir));
}

/** `trace`: which trial asks, in the place that the protocol has for it (`_meta`). */
function ask(
  link: McpLink,
  { op, target, args }: McpRequest,
  trace: Readonly<Record<string, string>> | null,
  asking: McpAsking,
): Promise<McpOutcome> {
  const meta = trace === null ? {} : { _meta: trace };
  if (op === 'resource') return link.request('resources/read', { uri: target, ...meta }, asking);
  // The SDK knows doubles only; the transports write large integers out.
  const toolArguments = args === null ? undefined : (JSON.parse(exactJsonText(args)) as Json);
  return link.request(
    'tools/call',
    { name: target, ...(toolArguments !== undefined && { arguments: toolArguments }), ...meta },
    asking,
  );
}

/** A server may repeat a secret that it was told. */
function answerOf(outcome: McpOutcome, server: string, request: McpRequest, scrub: (text: string) => string): Answer {
  switch (outcome.kind) {
    case 'result':
      return mcpAnswer(request, server, outcome.value, scrub);
    case 'asked': {
      const { resume: _, ...begun } = request;
      const questions = JSON.parse(scrub(JSON.stringify(outcome.questions))) as readonly McpQuestion[];
      const reply = { kind: 'asked', request: begun, questions, state: outcome.state } as const;
      return { reply, delayUs: 0, source: 'effect', fault: null };
    }
    default:
      return failureOf(outcome, server, scrub);
  }
}

function failureOf(outcome: McpOutcome, server: string, scrub: (text: string) => string): Answer {
  switch (outcome.kind) {
    case 'error':
      return errorAnswer(scrub(mcpErrorText(outcome.error, server)), 'effect', 'mcp');
    case 'lost':
      return mcpError(server, scrub(outcome.why));
    case 'broken':
      return brokenAnswer(scrub(`MCP server ${visibleText(server)} ${outcome.why}.`));
    case 'result':
    case 'asked':
      return mcpError(server, 'answered what was not asked');
  }
}
