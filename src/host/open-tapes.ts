import type { CallBill, CassettePlace } from '../types/cassette.ts';

/** What the host holds of one trial that is being recorded. */
export class OpenTape {
  /** Of its tape, in order. */
  readonly pieces: Uint8Array[] = [];
  /** Calls to real models, some perhaps still under way. */
  readonly calls: Promise<unknown>[] = [];
  /** By backend. */
  readonly bills = new Map<string, CallBill>();

  charge(bill: CallBill): void {
    const before = this.bills.get(bill.backend);
    this.bills.set(bill.backend, before === undefined ? bill : sum(before, bill));
  }
}

/** Tapes of the trials in flight. */
export class OpenTapes {
  private readonly tapes = new Map<string, OpenTape>();

  of(place: CassettePlace): OpenTape {
    const key = keyOf(place);
    const tape = this.tapes.get(key) ?? new OpenTape();
    this.tapes.set(key, tape);
    return tape;
  }

  clear(place: CassettePlace): void {
    this.tapes.delete(keyOf(place));
  }
}

/** Tells the records of a cassette apart. */
export function keyOf({ scenario, trial, part }: CassettePlace): string {
  return `${scenario} ${trial} ${part ?? 'trial'}`;
}

function sum(a: CallBill, b: CallBill): CallBill {
  return {
    backend: a.backend,
    calls: a.calls + b.calls,
    reused: a.reused + b.reused,
    retries: a.retries + b.retries,
    failures: a.failures + b.failures,
    promptTokens: a.promptTokens + b.promptTokens,
    completionTokens: a.completionTokens + b.completionTokens,
    cachedTokens: a.cachedTokens + b.cachedTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
    unknownUsage: a.unknownUsage + b.unknownUsage,
    nanoUsd: a.nanoUsd + b.nanoUsd,
    filtered: (a.filtered ?? 0) + (b.filtered ?? 0),
    cut: (a.cut ?? 0) + (b.cut ?? 0),
  };
}
