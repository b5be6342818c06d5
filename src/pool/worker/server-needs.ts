import type { KeptForRun } from '../../types/permissions.ts';
import { groupBy } from '../../values/group-by.ts';
import type { BlockSpan } from '../blocks/block-grid.ts';
import { closedAt, limitOf, nextOf } from '../control.ts';
import { type ToWorker, unpackSpans, type WorkerTask } from '../messages.ts';
import type { InFlight } from './in-flight.ts';

export interface ServerNeedsOptions {
  readonly task: Pick<WorkerTask, 'control' | 'spans' | 'servers' | 'keptServers'> & {
    readonly port: { on(event: 'message', hear: (message: ToWorker) => void): unknown };
  };
  readonly inFlight: Pick<InFlight, 'has'>;
  /** The position of the worker's own claim that it is at; null: all that it has claimed has begun. */
  position(): number | null;
  /** Ends the servers of this worker that are idle and not needed. */
  readonly endServers: (isNeeded: (identity: string) => boolean) => void;
}

/** The blocks of one scenario that follow each other in the grid. */
interface Stretch {
  readonly scenario: number;
  readonly start: number;
  readonly fromBlock: number;
  readonly toBlock: number;
}

/**
 * Which MCP servers this worker may be asked for again: those of scenarios that have blocks in flight here, or blocks that it
 * may still claim, and those that later pieces of the run may ask. Positions are claimed in order, so the worker knows its own
 * piece by itself, and hears of later ones. What others lose is another piece of work, which starts servers of its own; and no
 * scenario of those keeps an order, so that sequences hold none of them.
 */
export class ServerNeeds {
  private readonly options: ServerNeedsOptions;
  private readonly scenarios: ReadonlyMap<string, readonly number[]>;
  /** Those that later pieces of the run may ask; null: any. */
  private later: KeptForRun['needed'];
  private stretches: ReadonlyMap<number, readonly Stretch[]> | null = null;

  constructor(options: ServerNeedsOptions) {
    this.options = options;
    const { port, keptServers } = options.task;
    this.later = keptServers === null ? [] : keptServers.needed;
    port.on('message', (message: ToWorker) => {
      if (message.kind === 'needed') this.later = message.needed;
    });
    this.scenarios = new Map(options.task.servers.map(({ identity, scenarios }) => [identity, scenarios]));
  }

  /** Called regularly. */
  tick(): void {
    if (this.scenarios.size > 0 || this.options.task.keptServers !== null)
      this.options.endServers((identity) => this.isNeeded(identity));
  }

  /** `identity`: as in the task's servers; one that is not there is needed by later pieces or not at all. */
  isNeeded(identity: string): boolean {
    const { inFlight } = this.options;
    if (this.later === null || this.later.includes(identity)) return true;
    const scenarios = this.scenarios.get(identity) ?? [];
    return scenarios.some((scenario) => inFlight.has(scenario) || this.isAhead(scenario));
  }

  /** True: a block of the scenario at or beyond where the worker is may still be wanted. */
  private isAhead(scenario: number): boolean {
    const { task, position } = this.options;
    const { control } = task;
    const from = position() ?? nextOf(control);
    const limit = limitOf(control);
    const closed = closedAt(control, scenario);
    this.stretches ??= stretchesOf(unpackSpans(task.spans));
    return (this.stretches.get(scenario) ?? []).some(({ start, fromBlock, toBlock }) => {
      const end = Math.min(limit, start + Math.min(toBlock, closed) - fromBlock);
      return end > start && end > from;
    });
  }
}

function stretchesOf(spans: readonly BlockSpan[]): ReadonlyMap<number, readonly Stretch[]> {
  let end = 0;
  const stretches = spans.map(({ scenario, fromBlock, toBlock }): Stretch => {
    const start = end;
    end += toBlock - fromBlock;
    return { scenario, start, fromBlock, toBlock };
  });
  return groupBy(stretches, ({ scenario }) => scenario);
}
