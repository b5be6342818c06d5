import { Buffer } from 'node:buffer';
import { CASSETTE_READ, type CassetteRead } from '../../types/cassette.ts';
import type { HostCall } from '../live-ports.ts';

/** What a cassette holds of one trial; each null: nothing. */
export interface TrialTapes {
  readonly tape: Uint8Array | null;
  /** Of what judges said. */
  readonly judgeTape: Uint8Array | null;
}

/** A host that knows one trial's records and nothing else. */
export function callTape({ tape: own, judgeTape }: TrialTapes): HostCall {
  return (name, payload) => {
    if (name !== CASSETTE_READ) return Promise.reject(new Error('Functions of the host are called in runs only.'));
    // Asked by a tape of a trial, so the shape is known.
    const { part } = payload as unknown as CassetteRead;
    const tape = part === 'judge' ? judgeTape : own;
    return Promise.resolve(tape === null ? null : { piece: Buffer.from(tape).toString('base64'), last: true });
  };
}
