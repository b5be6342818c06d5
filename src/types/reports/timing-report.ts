import type { CassetteMode } from '../cassette.ts';
import type { TimedLadder } from '../ladders/ladder.ts';
import type { Amount, Count } from '../numbers.ts';
import type { QueueWorker } from '../queue-worker.ts';

/** Clocks, workers and host of a run. */
export interface TimingReport {
  /**
   * The folder that names of files, and files in commands, start from, as seen from the folder that passk ran in; absent:
   * they start from that very folder.
   */
  readonly root?: string;
  /** UTC, ISO 8601. */
  readonly startedAt: string;
  /** Milliseconds that the trials took. */
  readonly durationMs: Amount;
  /** Trials in a second; null: it was too quick to tell. */
  readonly trialsPerSecond: Amount | null;
  /** Worker threads that took part; 0: the calling thread did it all. */
  readonly workers: Count;
  /** Where trials ran. */
  readonly executor: 'inline' | 'workers' | 'queue';
  /** The worker processes that took part, by name; absent: there was no queue. */
  readonly queue?: readonly QueueWorker[];
  /** Code of the user, and what was granted, ran in processes of their own; absent: in threads, or there was none. */
  readonly isolation?: 'process';
  /** The file that answers were kept in or taken from; absent: there was none. */
  readonly cassette?: {
    /** Whether answers were recorded or replayed. */
    readonly mode: CassetteMode;
    /** The cassette's file. */
    readonly name: string;
  };
  /** Ladders on which agents are asked more and more at a time; absent: there is none. */
  readonly ladders?: readonly TimedLadder[];
  /** The machine. */
  readonly host: {
    /** Operating system and processor. */
    readonly platform: string;
    /** Processors that it has. */
    readonly cores: Count;
    /** Version of Node.js. */
    readonly node: string;
  };
}
