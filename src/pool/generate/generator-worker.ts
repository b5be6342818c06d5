import type { Piscina } from 'piscina';
import type { Candidate, CandidateOf } from '../../generators/make-candidate.ts';
import { scenarioSeed } from '../../generators/seeded-random.ts';
import { thrownText } from '../cause-of.ts';
import { workerFlags } from '../slots/worker-flags.ts';
import { redirectOutput } from '../slots/worker-output.ts';
import { workerUrl } from '../slots/worker-url.ts';
import type { GenerateTask } from './run-generator.ts';

/** After so many scenarios that did not end, a generator is asked for no more. */
const MOST_ENDED = 3;
/** What loading a plug-in may take; the main thread has loaded it before. */
const LOADING_MS = 60_000;
/** Enough for scenarios of a megabyte. */
const HEAP_MB = 256;

export interface GeneratorWorkerOptions extends Pick<GenerateTask, 'plugins' | 'type'> {
  /** One scenario may take so long. */
  readonly timeoutMs: number;
}

/** A generator of the user in a worker of its own, with neither network nor files. */
export class GeneratorWorker {
  private readonly options: GeneratorWorkerOptions;
  private pool: Piscina<GenerateTask, Candidate | null> | null = null;
  private ended = 0;
  /** Why it is asked for nothing more; null: it is. */
  private unusable: string | null = null;

  constructor(options: GeneratorWorkerOptions) {
    this.options = options;
  }

  /** A scenario; a generator that throws, dies or never ends costs this one alone. */
  async make(of: CandidateOf): Promise<Candidate> {
    const { plugins, type, timeoutMs } = this.options;
    const failed = (detail: string): Candidate => {
      return { ok: false, n: of.n, seed: scenarioSeed(of.seed, type, of.n), reason: 'threw', detail };
    };
    if (this.unusable !== null) return failed(this.unusable);
    let pool: Piscina<GenerateTask, Candidate | null>;
    try {
      pool = await this.open();
    } catch (error) {
      await this.close();
      this.unusable = `Its generator cannot be loaded in a worker: ${thrownText(error)}.`;
      return failed(this.unusable);
    }
    try {
      const made = await pool.run({ plugins, type, of }, { name: 'generate', signal: AbortSignal.timeout(timeoutMs) });
      return made ?? failed('Its generator gave nothing.');
    } catch (error) {
      await this.close();
      if (!(error instanceof Error) || error.name !== 'AbortError')
        return failed(`Its generator died: ${thrownText(error)}.`);
      this.ended++;
      if (this.ended >= MOST_ENDED) this.unusable = `It was not asked for: ${MOST_ENDED} before did not end.`;
      return failed(`Its generator did not end within ${timeoutMs} ms.`);
    }
  }

  async close(): Promise<void> {
    const { pool } = this;
    this.pool = null;
    await pool?.destroy();
  }

  /** A worker that has loaded the generator, so that only generating counts. */
  private async open(): Promise<Piscina<GenerateTask, Candidate | null>> {
    if (this.pool !== null) return this.pool;
    const { Piscina: Pool } = await import('piscina');
    const pool = new Pool<GenerateTask, Candidate | null>({
      filename: (await workerUrl()).href,
      minThreads: 1,
      maxThreads: 1,
      atomics: 'disabled',
      env: {},
      execArgv: workerFlags(process.execArgv),
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    this.pool = pool;
    pool.on('error', () => {});
    // What it prints belongs to nobody's report.
    for (const thread of pool.threads) redirectOutput(thread, () => {});
    const { plugins, type } = this.options;
    await pool.run({ plugins, type, of: null }, { name: 'generate', signal: AbortSignal.timeout(LOADING_MS) });
    return pool;
  }
}
