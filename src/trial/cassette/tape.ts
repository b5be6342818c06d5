import type { Ports, Request } from '../../plugin/request.ts';
import type { RealTime } from '../../types/real-time.ts';

/** Records what the outside world answers to the trials of one runner, one after the other, or answers in its place. */
export interface TrialTape {
  /** What stands between the engine and the ports. */
  readonly ports: Ports;
  /** Begins a trial; resolves to the time it lives in. Rejects when its record cannot be read. */
  begin(trial: number, realTime: RealTime): Promise<RealTime>;
  /** The trial has ended; resolves when the host has what was recorded. Rejects when it did not take it. */
  end(): Promise<void>;
  /** The trial is given up: nothing of it is kept. */
  drop(): void;
}

/** Ports as a tape listens to them. */
export interface TapedPorts extends Ports {
  /** True: the outside world may answer the request, or would have to. */
  mayAskOutside(request: Request): boolean;
  /** Notes what the request has written to disk, although nothing is written now. */
  noteWritten(request: Request): void;
}

/** The host's side of a cassette as its tapes see it. */
export interface TapeStore {
  write(trial: number, bytes: Uint8Array): Promise<void>;
  /** Null: nothing was recorded of this trial. */
  read(trial: number): Promise<Uint8Array | null>;
}
