import type { Delta } from '../../types/delta.ts';
import type { BlockId } from './run-results.ts';
import { verdictsOf } from '../tally/tally-codec.ts';

/** Trials that have run on the host and are judged in workers: whoever ran one hears when it counts. */
export class Judging {
  private readonly waiting = new Map<string, (failing: number) => void>();

  /** Resolves to the failed and broken trials of the block, when it has been judged. */
  begin({ scenario, block }: BlockId): Promise<number> {
    return new Promise((resolve) => {
      this.waiting.set(keyOf(scenario, block), resolve);
    });
  }

  /** Takes from results which trials have been judged. */
  note({ scenario, fromBlock, tally }: Delta): void {
    const resolve = this.waiting.get(keyOf(scenario, fromBlock));
    if (resolve === undefined) return;
    this.waiting.delete(keyOf(scenario, fromBlock));
    const { failed, broken } = verdictsOf(tally);
    resolve(failed + broken);
  }
}

function keyOf(scenario: number, block: number): string {
  return `${scenario}:${block}`;
}
