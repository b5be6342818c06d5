import { brokenAnswer, deniedAnswer, keptAnswer } from '../effects/answers.ts';
import type { CannedModel } from '../intelligence/canned-model.ts';
import type { TrialWorld, WorldRequest } from '../effects/trial-world.ts';
import type {
  Address,
  Answer,
  ClientRequest,
  HostRequest,
  HttpRequest,
  ModelRequest,
  Port,
  Ports,
  ProcessRequest,
  Request,
} from '../plugin/request.ts';
import type { McpRequest } from '../plugin/mcp-request.ts';
import type { PolicyGate } from '../policy/create-policy.ts';
import type { Json } from '../types/json.ts';
import { isJsonArray, isJsonObject } from '../values/is-json.ts';
import { messageOf } from '../values/message-of.ts';
import { dryAnswer } from './dry-answer.ts';
import type { RealWorld } from './real-world.ts';
import type { HostCall, LivePorts } from './live-ports.ts';
import type { Tally } from './tally/tally.ts';

export interface TrialPortsOptions {
  /** True: requests that only the outside world answers may overlap; absent: none does, as in programs that run at once. */
  readonly overlap?: boolean;
  /** True: requests are judged, and then neither asked nor done; absent: they are. */
  readonly dryRun?: boolean;
  readonly policy: PolicyGate;
  readonly model: CannedModel;
  readonly world: TrialWorld;
  /** What is granted of the real world; null: everything is answered from the plan. */
  readonly realWorld: RealWorld | null;
  /** Null where no function of the host is used. */
  readonly callHost: HostCall | null;
  readonly hostTimeoutMs: number;
  /** What answers models outside of the trial, instead of turns. */
  readonly live: LivePorts;
  /** Ports that the real world may answer, and those of them before which no mock stands; absent: none. */
  readonly outside?: OutsidePorts;
}

export interface OutsidePorts {
  readonly open: ReadonlySet<Port>;
  readonly alone: ReadonlySet<Port>;
}

const MAX_KEPT_DENIALS = 1024;

/** All ports of one trial, in one order: the subject's policy, then the answer that stands in for the world. */
export class TrialPorts implements Ports {
  /** Where served variants are counted. */
  served: number[] = [];
  private stop: AbortSignal | null = null;
  /** Ends what a trial left open; null: it has asked for nothing that could stay open. */
  private trialOver: AbortController | null = null;
  readonly overlaps: ((request: Request) => boolean) | undefined;
  private readonly options: TrialPortsOptions;
  private denials: Map<string, Answer> | null = null;
  private readonly resolve: (path: string) => string;

  constructor(options: TrialPortsOptions) {
    this.options = options;
    this.resolve = (path) => options.world.resolve(path);
    this.overlaps = options.overlap === true ? (request) => this.isOutside(request) : undefined;
  }

  /** `stop`: aborted when the run ends; null: it ends by itself. */
  begin(trial: number, tally: Tally, stop: AbortSignal | null = null): void {
    this.served = tally.served;
    this.stop = stop;
    this.trialOver?.abort();
    this.trialOver = null;
    this.options.model.begin(trial);
    this.options.world.reset();
  }

  ask(request: Request, at: Address, signal?: AbortSignal): Answer | Promise<Answer> {
    switch (request.port) {
      case 'model':
        return this.askModel(request, at, signal);
      case 'host':
        return this.askHost(request, signal);
      case 'client':
        return this.askClient(request, at.trial, signal);
      case 'children':
        return brokenAnswer('Child workflows are run by the driver, not by a port.');
      default:
        return this.askWorld(request, at.trial, signal);
    }
  }

  /** True: the outside world may answer the request, or would have to. */
  mayAskOutside(request: Request): boolean {
    const port = request.port === 'client' && request.op === 'tools' ? 'mcp' : request.port;
    return this.isOutside(request) || this.options.outside?.open.has(port) === true;
  }

  /** True: the subject's policy is against the request, or it is not whole, so that nothing is called. */
  refuses(request: HttpRequest | ProcessRequest | McpRequest): boolean {
    if ('invalid' in request && request.invalid !== undefined) return true;
    return this.options.policy.decide(request, this.resolve) !== null;
  }

  /** Notes and counts what the trial has written to disk, although nothing is written now. */
  noteWritten(request: Request): void {
    if (request.port !== 'file' || request.op === 'read') return;
    const { world } = this.options;
    const { op, path, content = '' } = request;
    if (op === 'write') world.space.claim(path, Buffer.byteLength(content));
    world.noteOnDisk(path, op === 'write' ? content : null);
  }

  private askWorld(request: WorldRequest, trial: number, signal: AbortSignal | undefined): Answer | Promise<Answer> {
    const { policy, world, realWorld } = this.options;
    const effect = realWorld?.instead(request) ?? null;
    const denial = policy.decide(request, effect?.resolve ?? this.resolve);
    if (denial !== null) return this.denied(denial);
    if ('invalid' in request && request.invalid !== undefined) return invalid(request.invalid);
    if (this.options.dryRun === true && request.port !== 'env') return dryAnswer(request);
    if (effect !== null) return effect.perform(trial, this.ends(signal));
    const answer = world.answer(request);
    // Nothing is declared that answers: what a mock leaves over is for the real world, where the user grants it.
    if (realWorld === null || answer.reply.kind !== 'broken') return answer;
    return realWorld.beyond(request)?.perform(trial, this.ends(signal), this.overOf(request)) ?? answer;
  }

  /** Tools are those of mocks and of the real server together; a name that both have is one tool. */
  private askClient(request: ClientRequest, trial: number, signal: AbortSignal | undefined): Answer | Promise<Answer> {
    const { world, realWorld } = this.options;
    const mocked = world.answerClient(request);
    if (request.op !== 'tools') return mocked;
    const { server } = request;
    const answer = realWorld?.toolsOf(server, mocked, { trial, ends: this.ends(signal) }) ?? mocked;
    return answer instanceof Promise ? answer.then((one) => this.allowed(server, one)) : this.allowed(server, answer);
  }

  /** Without the tools that the subject's policy refuses. */
  private allowed(server: string, answer: Answer): Answer {
    const { reply } = answer;
    const tools = reply.kind === 'value' && isJsonObject(reply.value) ? reply.value['tools'] : null;
    if (!isJsonArray(tools ?? null)) return answer;
    const left = (tools as readonly Json[]).filter((tool) => {
      const target = isJsonObject(tool) ? tool['name'] : null;
      const question = { port: 'mcp', op: 'tool', server, target: String(target) } as const;
      return this.options.policy.decide(question, this.resolve) === null;
    });
    return { ...answer, reply: { kind: 'value', value: { tools: left } } };
  }

  /** True: nothing of the plan can answer the request, or be changed by it. */
  private isOutside(request: Request): boolean {
    switch (request.port) {
      case 'host':
        return true;
      case 'model':
        return this.options.live.answers(request.backend);
      case 'http':
      case 'process':
      case 'mcp':
        return this.options.outside?.alone.has(request.port) === true;
      default:
        return false;
    }
  }

  /** Only what a server asks back stays open between two requests. */
  private overOf({ port }: WorldRequest): AbortSignal | undefined {
    if (port !== 'mcp') return undefined;
    this.trialOver ??= new AbortController();
    return this.trialOver.signal;
  }

  private ends(signal: AbortSignal | undefined): readonly AbortSignal[] {
    return [signal, this.stop].filter((end) => end instanceof AbortSignal);
  }

  /** One frozen answer per text, so that what follows from it can be kept. */
  private denied(message: string): Answer {
    this.denials ??= new Map();
    const hit = this.denials.get(message);
    if (hit !== undefined) return hit;
    const answer = keptAnswer(deniedAnswer(message));
    if (this.denials.size < MAX_KEPT_DENIALS) this.denials.set(message, answer);
    return answer;
  }

  private askModel(request: ModelRequest, at: Address, signal: AbortSignal | undefined): Answer | Promise<Answer> {
    const { model, live, dryRun } = this.options;
    if (dryRun === true) return model.refuse(request.backend) ?? dryAnswer(request);
    if (live.answers(request.backend)) return live.ask(request, at, this.ends(signal));
    const answer = model.answer(request, at);
    if (model.served >= 0) this.served[model.served] = (this.served[model.served] as number) + 1;
    return answer;
  }

  private async askHost(request: HostRequest, signal: AbortSignal | undefined): Promise<Answer> {
    const { callHost, hostTimeoutMs, dryRun } = this.options;
    if (dryRun === true) return dryAnswer(request);
    if (callHost === null) return brokenAnswer(`No function "${request.name}" is there to be called.`);
    try {
      const value = await callHost(request.name, request.payload, hostTimeoutMs, signal);
      return { reply: { kind: 'value', value }, delayUs: 0, source: 'host', fault: null };
    } catch (error) {
      return brokenAnswer(messageOf(error));
    }
  }
}

function invalid(message: string): Answer {
  return {
    reply: { kind: 'error', category: 'tool', message, denied: false },
    delayUs: 0,
    source: 'none',
    fault: null,
  };
}
