import process from 'node:process';
import { Writable } from 'node:stream';
import type { Output } from './open-output.ts';

/**
 * Takes standard output away from modules of the user, so that reports for programs stay what they are: what `console.log`
 * and `process.stdout` get from now on goes to `relay`. Returns the way to the real stream.
 */
export function claimStdout(relay: (piece: string) => void): () => Output {
  const own = Object.getOwnPropertyDescriptor(process, 'stdout');
  let substitute: Writable | null = null;
  Object.defineProperty(process, 'stdout', {
    configurable: true,
    enumerable: true,
    get: () => {
      substitute ??= new Writable({
        decodeStrings: false,
        write: (piece: string | Buffer, _encoding, done) => {
          relay(piece.toString());
          done();
        },
      });
      return substitute;
    },
  });
  return () => own?.get?.call(process) ?? own?.value;
}
