import { brokenAnswer, errorAnswer } from '../effects/answers.ts';
import type { Effect, Effects } from '../effects/effect.ts';
import { performUntil } from '../effects/granted/perform-until.ts';
import type { SeenFile, TrialWorld, WorldRequest } from '../effects/trial-world.ts';
import type { Answer, FileRequest } from '../plugin/request.ts';
import { withAnySignal } from '../values/with-any-signal.ts';
import type { PolicyGate } from '../policy/create-policy.ts';

/** A granted effect, held for one request. */
export interface BoundEffect {
  /** Where files lead on the disk; absent: policy judges paths as the trial's world does. */
  readonly resolve?: (path: string) => string;
  /** `ends`: each tells the effect to end. */
  /** `over`: the trial, whatever it was asked for since; absent: nothing of the request stays open. */
  perform(trial: number, ends: readonly AbortSignal[], over?: AbortSignal): Promise<Answer> | Answer;
}

export interface RealWorldOptions {
  readonly effects: Effects;
  readonly world: TrialWorld;
  readonly policy: PolicyGate;
  /** Name of the scenario. */
  readonly scenario: string;
}

/** Which requests of a trial the real world answers. What the scenario declares always comes first. */
export class RealWorld {
  private readonly options: RealWorldOptions;

  constructor(options: RealWorldOptions) {
    this.options = options;
  }

  /** For files and variables, which the memory would always answer; null: the memory does. */
  instead(request: WorldRequest): BoundEffect | null {
    const { effects, world } = this.options;
    if (request.port === 'file') {
      const { file } = effects;
      if (file === null || !file.covers(request.path, request.op) || world.holds(request)) return null;
      const effect = this.bind(file, request);
      const { perform } = request.op === 'read' ? effect : this.withinSpace(request, effect);
      return { perform, resolve: (path) => file.resolve(path) };
    }
    if (request.port !== 'env' || effects.env === null || world.holds(request)) return null;
    return effects.env.refusal(request) === null ? this.bind(effects.env, request) : null;
  }

  /** What checks see where the disk answers for reading; null: nothing, or the trial's own world says. */
  look(path: string): SeenFile | null {
    const { effects, world } = this.options;
    const { file } = effects;
    if (file === null || !file.covers(path, 'read')) return null;
    return world.holds({ port: 'file', op: 'read', path, as: 'read_file' }) ? null : file.look(path);
  }

  /** For what no mock answers; null: nothing is granted. */
  beyond(request: WorldRequest): BoundEffect | null {
    const { http, process, mcp } = this.options.effects;
    switch (request.port) {
      case 'http':
        return http === null ? null : this.bindGranted(http, request);
      case 'process':
        return process === null ? null : this.bindGranted(process, request);
      case 'mcp':
        return mcp === null ? null : this.bindGranted(mcp, request);
      case 'file':
      case 'env':
        return null;
    }
  }

  /** The tools of a server beside those of its mocks; these alone where it is not granted. */
  toolsOf(
    server: string,
    mocked: Answer,
    { trial, ends }: { readonly trial: number; readonly ends: readonly AbortSignal[] },
  ): Promise<Answer> | Answer {
    const { effects, scenario } = this.options;
    const { mcp } = effects;
    if (mcp === null || mcp.refusal({ port: 'mcp', op: 'tool', server, target: '', args: null }) !== null)
      return mocked;
    return withAnySignal(ends, (signal) =>
      mcp.listTools(server, mocked, { scenario, trial, signal, recheck: () => null }),
    );
  }

  // A trial's budget is one, for what it writes to memory and to disk.
  private withinSpace({ op, path, content = '' }: FileRequest, effect: BoundEffect): BoundEffect {
    const { world } = this.options;
    const { space } = world;
    const bytes = op === 'write' ? Buffer.byteLength(content) : 0;
    return {
      perform: async (number, ends) => {
        const { trial } = space;
        const error = op === 'write' ? space.claim(path, bytes) : null;
        if (error !== null) return errorAnswer(error, 'effect');
        const answer = await effect.perform(number, ends);
        if (answer.reply.kind !== 'value') space.release(bytes, trial);
        else if (space.trial === trial) world.noteOnDisk(path, op === 'write' ? content : null);
        return answer;
      },
    };
  }

  private bindGranted<R extends WorldRequest>(effect: Effect<R>, request: R): BoundEffect {
    const refusal = effect.refusal(request);
    return refusal === null ? this.bind(effect, request) : { perform: () => brokenAnswer(refusal) };
  }

  private bind<R extends WorldRequest>(effect: Effect<R>, request: R): BoundEffect {
    const { policy, scenario } = this.options;
    return {
      perform: (trial, ends, over) =>
        performUntil(effect, request, {
          scenario,
          trial,
          ends,
          ...(over !== undefined && { over }),
          // What is about to be done is named as it is: nothing is followed any more.
          recheck: (really) => policy.decide(really, (path) => path),
        }),
    };
  }
}
