import type { Move, NodeType, NodeView } from '../../plugin/node-type.ts';
import type { ModelReply, Reply, Request } from '../../plugin/request.ts';
import type { Json, JsonObject } from '../../types/json.ts';
import type { Message } from '../../types/message.ts';
import { jsonText } from '../../values/json-text.ts';
import { textMessage, textOf } from '../../values/message-text.ts';
import { errorMove, notSet, replyError } from '../error-move.ts';
import { errorText } from '../error-text.ts';
import { readLoopAction } from '../loop-action.ts';
import { loopProtocol } from '../loop-protocol.ts';
import { LOOP_TOOLS } from '../loop-tools.ts';
import { plainText } from '../plain-text.ts';
import { wrongReply } from '../reply-move.ts';
import { fromState, toState } from '../step-state.ts';
import type { AgentLoopKeys } from '../../types/definitions/node-keys.ts';

/** Most model answers that a loop may take. */
export const MAX_STEPS = 64;

interface State {
  /** Model answers so far. */
  readonly steps: number;
  readonly spent: number;
  readonly messages: readonly Message[];
  readonly transcript: readonly JsonObject[];
  /** The tool call under way; null while the model thinks. */
  readonly call: { readonly tool: string; readonly args: Json } | null;
}

/** Lets a model call tools, one per answer, until it is done or a bound is reached: then the branch is `exhausted`. */
export const agentLoop: NodeType<AgentLoopKeys> = {
  kind: 'node',
  type: 'agent_loop',
  summary: 'Lets a model call tools in a bounded loop.',
  capability: 'agent_loop',
  needs: ({ tools = [] }) => {
    const ports = tools.map((tool) => LOOP_TOOLS.get(tool)?.port).filter((port) => port !== undefined);
    return [...new Set(['model' as const, ...ports])];
  },
  labels: () => ['exhausted'],
  calls: ({ tools = [] }) => tools.flatMap((tool) => LOOP_TOOLS.get(tool)?.call ?? []),
  mostRequests: ({ maxSteps }) => maxSteps,
  isLoop: true,
  dryOutput: Object.freeze({ result: null, steps: 0, dry_run: true }),
  create: (config, view) => {
    const { backend, instructions, instructionsFrom } = config;
    const loop = new Loop(config, view);
    const literal = instructions !== undefined;
    return {
      reads: literal || instructionsFrom === undefined ? [] : [{ from: 'path', path: instructionsFrom }],
      begin: ([found]) => {
        if (!view.backends.includes(backend)) {
          const message = `agent_loop node \`${view.id}\`: backend \`${backend}\` is not configured`;
          return errorMove('intelligence', message);
        }
        const task = literal ? instructions : found;
        if (task !== undefined) return loop.begin(plainText(task));
        if (instructionsFrom !== undefined) return notSet(instructionsFrom, 'instructions_from');
        return errorMove('tool', 'neither `instructions` nor `instructions_from` is given');
      },
      after: (json, reply) => {
        const state = fromState<State>(json);
        return state.call === null ? loop.afterModel(state, reply) : loop.afterTool(state, state.call, reply);
      },
    };
  },
};

/** The moves of one compiled loop. Holds its settings only. */
class Loop {
  private readonly backend: string;
  private readonly maxSteps: number;
  private readonly maxTokens: number;
  private readonly tools: readonly string[];
  private readonly view: NodeView;
  private readonly protocol: Message;

  constructor({ backend, maxSteps, maxTokens = Infinity, tools = [] }: AgentLoopKeys, view: NodeView) {
    this.backend = backend;
    this.maxSteps = Math.min(MAX_STEPS, Math.max(1, maxSteps));
    this.maxTokens = maxTokens;
    this.tools = tools;
    this.view = view;
    this.protocol = textMessage('system', loopProtocol(tools));
  }

  begin(task: string): Move {
    const messages = [this.protocol, textMessage('user', task)];
    return this.askModel({ steps: 0, spent: 0, messages, transcript: [], call: null });
  }

  afterModel(state: State, reply: Reply): Move {
    if (reply.kind === 'error') {
      return reply.spent === true ? exhausted(state, 'run token budget exhausted') : replyError(reply);
    }
    return reply.kind === 'model' ? this.act(heard(state, reply), textOf(reply.parts)) : wrongReply(reply);
  }

  afterTool(state: State, { tool, args }: { readonly tool: string; readonly args: Json }, reply: Reply): Move {
    if (reply.kind === 'error') {
      return this.refuse(state, tool, args, errorText(reply.category, reply.message, tool, this.view.workflow));
    }
    if (reply.kind !== 'value') return wrongReply(reply);
    const result = LOOP_TOOLS.get(tool)?.result(reply.value) ?? reply.value;
    return this.goOn(state, { action: 'tool', tool, args, ok: true }, { tool_result: result });
  }

  private act(state: State, content: string): Move {
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
    const loopTool = this.tools.includes(tool) ? LOOP_TOOLS.get(tool) : undefined;
    if (loopTool === undefined) return this.refuse(state, tool, args, this.notAllowed(tool));
    const request = loopTool.request(args, this.view.mcpServers);
    if (isRequest(request)) return { kind: 'ask', request, state: toState<State>({ ...state, call: { tool, args } }) };
    return this.refuse(state, tool, args, errorText(request.category, request.problem, tool, this.view.workflow));
  }

  private notAllowed(tool: string): string {
    return `tool \`${tool}\` is not in this loop's allowed set: [${this.tools.join(', ')}]`;
  }

  private refuse(state: State, tool: string, args: Json, error: string): Move {
    return this.goOn(state, { action: 'tool', tool, args, ok: false }, { tool_result: { error } });
  }

  /** Notes what happened in this step, tells the model, and asks for its next answer. */
  private goOn(state: State, entry: JsonObject, body: Json): Move {
    return this.askModel({
      ...state,
      messages: [...state.messages, textMessage('user', jsonText(body))],
      transcript: [...state.transcript, { step: state.steps, ...entry }],
      call: null,
    });
  }

  private askModel(state: State): Move {
    if (state.steps >= this.maxSteps) return exhausted(state, 'step cap exhausted');
    if (state.spent >= this.maxTokens) return exhausted(state, 'token budget exhausted');
    const { backend } = this;
    const request = { port: 'model', backend, messages: state.messages, maxTokens: null, repair: false } as const;
    return { kind: 'ask', request, state: toState(state) };
  }
}

function heard(state: State, { parts, usage }: ModelReply): State {
  const { promptTokens = 0, completionTokens = 0 } = usage ?? {};
  return {
    ...state,
    steps: state.steps + 1,
    spent: state.spent + promptTokens + completionTokens,
    messages: [...state.messages, { role: 'assistant', parts }],
  };
}

function exhausted({ steps, transcript }: State, reason: string): Move {
  return { kind: 'done', output: { result: null, reason, steps, transcript }, branch: 'exhausted' };
}

function isRequest<T extends object>(made: Request | T): made is Request {
  return 'port' in made;
}
