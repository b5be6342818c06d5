/** Workers that one scenario may cost; then its remaining trials are broken. */
const MAX_DEATHS = 100;
/** The same for workers that hang: each of them costs the whole time limit of the watchdog. */
const MAX_HANGS = 8;
/** Workers that may die while they prepare a scenario and others of its trials or of other scenarios are in flight. */
const MAX_BUSY_PREPARATIONS = 3;

/** The workers of a run that died, by the scenario that they died of. */
export class Casualties {
  private readonly deaths = new Map<number, number>();
  private readonly hangs = new Map<number, number>();
  private readonly preparing = new Map<number, number>();
  private unblamed = 0;

  get total(): number {
    return [...this.deaths.values()].reduce((sum, count) => sum + count, this.unblamed);
  }

  of(scenario: number): number {
    return this.deaths.get(scenario) ?? 0;
  }

  /** A worker ended badly with this scenario alone. A throw costs no worker. */
  count(scenario: number, end: { readonly died: boolean; readonly hung: boolean }): void {
    if (end.died) add(this.deaths, scenario);
    if (end.hung) add(this.hangs, scenario);
  }

  /** A worker died with several blocks in flight: nobody knows yet of which. */
  countUnblamed(): void {
    this.unblamed++;
  }

  /** True: the scenario was being prepared too often when a worker with blocks in flight died. */
  countPreparing(scenario: number): boolean {
    add(this.preparing, scenario);
    return (this.preparing.get(scenario) ?? 0) >= MAX_BUSY_PREPARATIONS;
  }

  /** True: the scenario has cost more workers than it may. */
  isTooMuch(scenario: number): boolean {
    return this.of(scenario) >= MAX_DEATHS || (this.hangs.get(scenario) ?? 0) >= MAX_HANGS;
  }

  hasTooManyDeaths(scenario: number): boolean {
    return this.of(scenario) >= MAX_DEATHS;
  }
}

function add(counts: Map<number, number>, scenario: number): void {
  counts.set(scenario, (counts.get(scenario) ?? 0) + 1);
}
