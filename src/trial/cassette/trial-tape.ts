import { Buffer } from 'node:buffer';
import {
  CASSETTE_READ,
  CASSETTE_WRITE,
  type CassetteMode,
  type CassettePiece,
  type CassettePlace,
} from '../../types/cassette.ts';
import type { Json } from '../../types/json.ts';
import type { HostCall } from '../live-ports.ts';
import { RecordingTape } from './recording-tape.ts';
import { ReplayingTape } from './replaying-tape.ts';
import type { TapedPorts, TapeStore, TrialTape } from './tape.ts';

export interface TapeParts extends Omit<CassettePlace, 'trial'> {
  readonly ports: TapedPorts;
  readonly callHost: HostCall;
}

/** What one trial may record; more is refused, and the trial cannot be replayed. */
const MAX_TAPE = 32 * 1024 * 1024;
/** Base64 of it is well below what one call of the host may carry. */
const PIECE = 512 * 1024;
const HOST_MS = 60_000;

export function openTape(mode: CassetteMode, { ports, callHost, ...place }: TapeParts): TrialTape {
  const store = hostStore(place, callHost);
  return mode === 'record' ? new RecordingTape(ports, store) : new ReplayingTape(ports, store);
}

function hostStore(place: Omit<CassettePlace, 'trial'>, callHost: HostCall): TapeStore {
  const call = (name: string, payload: object): Promise<Json> => callHost(name, payload as Json, HOST_MS);
  return {
    write: async (trial, bytes) => {
      if (bytes.length > MAX_TAPE) {
        throw new Error(
          `The trial cannot be recorded: its answers have ${bytes.length} bytes, at most ${MAX_TAPE} fit.`,
        );
      }
      for (let from = 0; from < bytes.length; from += PIECE) {
        const piece = Buffer.from(bytes.subarray(from, from + PIECE)).toString('base64');
        await call(CASSETTE_WRITE, { ...place, trial, from, piece, last: from + PIECE >= bytes.length });
      }
    },
    read: async (trial) => {
      const pieces: Buffer[] = [];
      for (let from = 0; ; ) {
        const found = await call(CASSETTE_READ, { ...place, trial, from });
        if (!isPiece(found)) return null;
        const bytes = Buffer.from(found.piece, 'base64');
        pieces.push(bytes);
        from += bytes.length;
        if (found.last) return Buffer.concat(pieces);
      }
    },
  };
}

function isPiece(value: unknown): value is CassettePiece {
  return typeof value === 'object' && value !== null && 'piece' in value && typeof value.piece === 'string';
}
