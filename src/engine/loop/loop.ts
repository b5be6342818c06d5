import type { Move, NodeView } from '../../plugin/node-type.ts';
import type { ModelReply, Reply, Request } from '../../plugin/request.ts';
import type { Json, JsonObject } from '../../types/json.ts';
import type { Message, MessagePart, ToolCallPart } from '../../types/message.ts';
import { jsonText } from '../../values/json-text.ts';
import { textMessage, textOf } from '../../values/message-text.ts';
import { replyError } from '../error-move.ts';
import { errorText } from '../error-text.ts';
import { readLoopAction } from './loop-action.ts';
import { loopProtocol } from './loop-protocol.ts';
import { LOOP_TOOLS } from './loop-tools.ts';
import { type McpExchange, mcpMove } from '../mcp/mcp-exchange.ts';
import { samplingBackend, withUnanswered } from '../mcp/mcp-step.ts';
import { type OfferedTool, offerTools } from './offered-tools.ts';
import { wrongReply } from '../reply-move.ts';
import { toState } from '../step-state.ts';
import type { AgentLoopKeys } from '../../types/definitions/node-keys.ts';

/** Most model answers that a loop may take. */
export const MAX_STEPS = 64;
/** Calls of functions that one answer may ask for. */
const MOST_CALLS = 16;

export interface LoopState {
  /** Model answers so far. */
  readonly steps: number;
  readonly spent: number;
  readonly messages: readonly Message[];
  readonly transcript: readonly JsonObject[];
  /** The tool call under way; null: there is none. */
  readonly call: LoopCall | null;
  /** Functions that the model called in its last answer and that were not carried out yet. */
  readonly queue: readonly ToolCallPart[];
  /** What those gave that were. */
  readonly results: readonly MessagePart[];
  /** Functions that the model is offered; null: servers are to be asked. */
  readonly offered: readonly OfferedTool[] | null;
  /** Servers that were asked so far, while they are; null: they are not. */
  readonly listing: { readonly servers: number; readonly tools: readonly OfferedTool[] } | null;
}

interface LoopCall {
  readonly tool: string;
  readonly args: Json;
  /** The function that was called; null: the model wrote an action. */
  readonly asFunction: ToolCallPart | null;
  /** What a server of MCP asked back; null: nothing. */
  readonly exchange: McpExchange | null;
}

const MCP_TOOL = 'call_mcp_tool';

/** The moves of one compiled loop. Holds its settings only. */
export class Loop {
  private readonly backend: string;
  private readonly maxSteps: number;
  private readonly maxTokens: number;
  private readonly tools: readonly string[];
  private readonly view: NodeView;
  private readonly protocol: Message;
  /** Servers whose tools the model is offered: a real model alone reads what they are. */
  private readonly servers: readonly string[];

  constructor({ backend, maxSteps, maxTokens = Infinity, tools = [] }: AgentLoopKeys, view: NodeView) {
    this.backend = backend;
    this.maxSteps = Math.min(MAX_STEPS, Math.max(1, maxSteps));
    this.maxTokens = maxTokens;
    this.tools = tools;
    this.view = view;
    const offers = tools.includes(MCP_TOOL) && view.liveBackends?.includes(backend) === true;
    this.servers = offers ? [...new Set(view.mcpServers)] : [];
    this.protocol = textMessage('system', loopProtocol(tools, this.servers.length > 0));
  }

  begin(task: string): Move {
    return this.askModel({
      steps: 0,
      spent: 0,
      messages: [this.protocol, textMessage('user', task)],
      transcript: [],
      call: null,
      queue: [],
      results: [],
      offered: null,
      listing: null,
    });
  }

  after(state: LoopState, reply: Reply): Move {
    const { listing, call } = state;
    if (listing !== null) return this.afterList(state, listing, reply);
    return call === null ? this.afterModel(state, reply) : this.afterTool(state, call, reply);
  }

  private afterList(state: LoopState, { servers, tools }: NonNullable<LoopState['listing']>, reply: Reply): Move {
    const server = this.servers[servers] ?? '';
    // A server that does not list its tools has none to offer; its calls say what is wrong with it.
    const offered = reply.kind === 'value' ? offerTools(tools, server, reply.value) : tools;
    return this.list(state, servers + 1, offered);
  }

  private afterModel(state: LoopState, reply: Reply): Move {
    if (reply.kind === 'error') {
      return reply.spent === true ? exhausted(state, 'run token budget exhausted') : replyError(reply);
    }
    if (reply.kind !== 'model') return wrongReply(reply);
    const next = heard(state, reply);
    const calls = reply.parts.filter((part) => part.kind === 'tool_call');
    return calls.length === 0 ? this.act(next, textOf(reply.parts)) : this.callNext({ ...next, queue: calls });
  }

  private afterTool(state: LoopState, call: LoopCall, reply: Reply): Move {
    const { tool, args, exchange } = call;
    const move = mcpMove(exchange, reply, {
      backendOf: (server) => samplingBackend(this.view, server),
      toStepState: (next) => toState<LoopState>({ ...state, call: { ...call, exchange: next } }),
    });
    if (move !== null) return move;
    const outcome = withUnanswered(reply, exchange);
    if (outcome.kind === 'error') {
      return this.refuse(state, call, errorText(outcome.category, outcome.message, tool, this.view.workflow));
    }
    if (outcome.kind !== 'value') return wrongReply(outcome);
    const result = LOOP_TOOLS.get(tool)?.result(outcome.value) ?? outcome.value;
    // What a server does may change what it offers.
    const next = tool === MCP_TOOL ? { ...state, offered: null } : state;
    return this.answered(next, call, { entry: { action: 'tool', tool, args, ok: true }, result, isError: false });
  }

  private act(state: LoopState, content: string): Move {
    const action = readLoopAction(content);
    if (action.kind === 'final') {
      const transcript = [...state.transcript, { step: state.steps, action: 'final' }];
      const output = { result: action.result, steps: state.steps, tokens: state.spent, transcript };
      return { kind: 'done', output };
    }
    if (action.kind === 'malformed') {
      const error = `your reply is not a valid action object: ${action.problem}`;
      return this.goOn(state, { action: 'malformed' }, { error });
    }
    const { tool, args } = action;
    return this.carryOut(state, { tool, args, asFunction: null, exchange: null });
  }

  /** Carries out the next function that was called, or tells the model what all of them gave. */
  private callNext(state: LoopState): Move {
    const [part, ...queue] = state.queue;
    if (part === undefined) {
      const messages = [...state.messages, { role: 'tool', parts: state.results } as const];
      return this.askModel({ ...state, messages, results: [], call: null });
    }
    const offer = state.offered?.find(({ declaration }) => declaration.name === part.name);
    const { server, tool } = offer ?? {};
    const args = offer === undefined ? part.args : { server: server ?? null, tool: tool ?? null, args: part.args };
    const call = { tool: offer === undefined ? part.name : MCP_TOOL, args, asFunction: part, exchange: null };
    const next = { ...state, queue };
    if (state.results.length >= MOST_CALLS)
      return this.refuse(next, call, `an answer may call ${MOST_CALLS} functions`);
    if (part.problem !== undefined) return this.refuse(next, call, part.problem);
    return this.carryOut(next, call);
  }

  private carryOut(state: LoopState, call: LoopCall): Move {
    const { tool, args } = call;
    const loopTool = this.tools.includes(tool) ? LOOP_TOOLS.get(tool) : undefined;
    if (loopTool === undefined) return this.refuse(state, call, this.notAllowed(tool));
    const request = loopTool.request(args, this.view.mcpServers);
    if (isRequest(request)) return { kind: 'ask', request, state: toState<LoopState>({ ...state, call }) };
    return this.refuse(state, call, errorText(request.category, request.problem, tool, this.view.workflow));
  }

  private notAllowed(tool: string): string {
    return `tool \`${tool}\` is not in this loop's allowed set: [${this.tools.join(', ')}]`;
  }

  private refuse(state: LoopState, call: LoopCall, error: string): Move {
    const { tool, args } = call;
    return this.answered(state, call, {
      entry: { action: 'tool', tool, args, ok: false },
      result: { error },
      isError: true,
    });
  }

  private answered(
    state: LoopState,
    { asFunction }: LoopCall,
    { entry, result, isError }: { readonly entry: JsonObject; readonly result: Json; readonly isError: boolean },
  ): Move {
    if (asFunction === null) return this.goOn(state, entry, { tool_result: result });
    const { id, name } = asFunction;
    const part = { kind: 'tool_result', id, name, result, ...(isError && { isError: true as const }) } as const;
    const transcript = [...state.transcript, { step: state.steps, ...entry }];
    return this.callNext({ ...state, transcript, results: [...state.results, part], call: null });
  }

  /** Notes what happened in this step, tells the model, and asks for its next answer. */
  private goOn(state: LoopState, entry: JsonObject, body: Json): Move {
    return this.askModel({
      ...state,
      messages: [...state.messages, textMessage('user', jsonText(body))],
      transcript: [...state.transcript, { step: state.steps, ...entry }],
      call: null,
    });
  }

  private askModel(state: LoopState): Move {
    if (state.steps >= this.maxSteps) return exhausted(state, 'step cap exhausted');
    if (state.spent >= this.maxTokens) return exhausted(state, 'token budget exhausted');
    const { offered, messages } = state;
    if (offered === null && this.servers.length > 0) return this.list(state, 0, []);
    const tools = (offered ?? []).map(({ declaration }) => declaration);
    const offer = tools.length > 0 ? { tools } : {};
    const asked = { port: 'model', backend: this.backend, messages, maxTokens: null, repair: false, ...offer } as const;
    return { kind: 'ask', request: asked, state: toState(state) };
  }

  /** Asks the next server for its tools, or the model once all were asked. */
  private list(state: LoopState, servers: number, tools: readonly OfferedTool[]): Move {
    const server = this.servers[servers];
    if (server === undefined) return this.askModel({ ...state, offered: tools, listing: null });
    const request = { port: 'client', op: 'tools', server } as const;
    return { kind: 'ask', request, state: toState<LoopState>({ ...state, listing: { servers, tools } }) };
  }
}

function heard(state: LoopState, { parts, usage }: ModelReply): LoopState {
  const { promptTokens = 0, completionTokens = 0 } = usage ?? {};
  return {
    ...state,
    steps: state.steps + 1,
    spent: state.spent + promptTokens + completionTokens,
    messages: [...state.messages, { role: 'assistant', parts }],
  };
}

function exhausted({ steps, transcript }: LoopState, reason: string): Move {
  return { kind: 'done', output: { result: null, reason, steps, transcript }, branch: 'exhausted' };
}

function isRequest<T extends object>(made: Request | T): made is Request {
  return 'port' in made;
}
