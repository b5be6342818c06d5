import { halfSipHash } from '../../random/half-sip-hash.ts';

const WIDTH = 3;

/** Names of runs, each with the run that had it first; 12 bytes a name, in a table at most half full. */
export class RunNames {
  private size = 0;
  /** Of each place two words of the name's hash, and the run + 1; 0: it is free. */
  private table = new Uint32Array(WIDTH * 64);

  /** The run that has this name already; null: from now on it is this one. Names of one hash are taken for one. */
  runOf(name: string, run: number): number | null {
    if (this.size * WIDTH * 2 >= this.table.length) this.grow();
    const [low, high] = halfSipHash([0, 0], name);
    const at = this.find(low, high);
    const taken = this.table[at + 2] ?? 0;
    if (taken !== 0) return taken - 1;
    this.table.set([low, high, run + 1], at);
    this.size++;
    return null;
  }

  private find(low: number, high: number): number {
    const { table } = this;
    let at = (low % (table.length / WIDTH)) * WIDTH;
    while (table[at + 2] !== 0 && (table[at] !== low || table[at + 1] !== high)) at = (at + WIDTH) % table.length;
    return at;
  }

  private grow(): void {
    const old = this.table;
    this.table = new Uint32Array(old.length * 2);
    for (let at = 0; at < old.length; at += WIDTH) {
      if (old[at + 2] !== 0) this.table.set(old.subarray(at, at + WIDTH), this.find(old[at] ?? 0, old[at + 1] ?? 0));
    }
  }
}
