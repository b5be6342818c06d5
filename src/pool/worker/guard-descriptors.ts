import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { StringDecoder } from 'node:string_decoder';

/** The highest of standard input, output and error: they are passk's, whichever thread uses them. */
const LAST_STANDARD = 2;

type AnyFunction = (...args: unknown[]) => unknown;
type Names = keyof typeof fs;

/**
 * Takes the standard descriptors of the process away from code of the user in this thread: what it writes to them through
 * `node:fs` goes to `onText`, and closing them does nothing. So a report on standard output stays whole.
 */
export function guardDescriptors(onText: (text: string) => void): void {
  const decoders = new Map<number, StringDecoder>();
  const say = (descriptor: number, bytes: Uint8Array): number => {
    const decoder = decoders.get(descriptor) ?? new StringDecoder('utf8');
    decoders.set(descriptor, decoder);
    onText(decoder.write(Buffer.from(bytes)));
    return bytes.length;
  };
  replace('writeSync', say, ([data, ...rest]) => partOf(data, rest));
  replace('writevSync', say, ([list]) => joined(list));
  replace('write', say, ([data, ...rest]) => partOf(data, rest));
  replace('writev', say, ([list]) => joined(list));
  for (const name of ['writeFileSync', 'appendFileSync', 'writeFile', 'appendFile'] as const) {
    replace(name, say, ([data]) => (ArrayBuffer.isView(data) ? viewOf(data) : Buffer.from(String(data))));
  }
  for (const name of ['closeSync', 'close'] as const)
    replace(
      name,
      () => undefined,
      () => new Uint8Array(),
    );
  syncBuiltinESMExports();
}

/** Has calls of a function with a standard descriptor do `instead`, answered at once or by a callback as it would be. */
function replace(
  name: Names,
  instead: (descriptor: number, bytes: Uint8Array) => number | undefined,
  bytesOf: (args: readonly unknown[]) => Uint8Array,
): void {
  const original = fs[name] as AnyFunction;
  const guarded = (...args: unknown[]): unknown => {
    const [descriptor, ...rest] = args;
    if (typeof descriptor !== 'number' || descriptor < 0 || descriptor > LAST_STANDARD) return original(...args);
    const written = instead(descriptor, bytesOf(rest));
    const callback = args.at(-1);
    if (name.endsWith('Sync') || typeof callback !== 'function')
      return name === 'writeSync' || name === 'writevSync' ? written : undefined;
    process.nextTick(callback, null, written, rest[0]);
    return undefined;
  };
  // With what `util.promisify` knows of it.
  Object.defineProperties(guarded, Object.getOwnPropertyDescriptors(original));
  Object.assign(fs, { [name]: guarded });
}

/** What `write` takes: bytes with an offset and a length, or with both in an object, or text with its encoding. */
function partOf(data: unknown, [from, count, encoding]: readonly unknown[]): Uint8Array {
  if (!ArrayBuffer.isView(data))
    return Buffer.from(String(data), isEncoding(count) ? count : isEncoding(encoding) ? encoding : 'utf8');
  const bytes = viewOf(data);
  const { offset = 0, length } =
    typeof from === 'object' && from !== null
      ? (from as { offset?: number; length?: number })
      : { offset: from, length: count };
  const start = typeof offset === 'number' ? offset : 0;
  return bytes.subarray(start, typeof length === 'number' ? start + length : bytes.length);
}

function isEncoding(value: unknown): value is BufferEncoding {
  return typeof value === 'string' && Buffer.isEncoding(value);
}

function joined(list: unknown): Uint8Array {
  return Buffer.concat((Array.isArray(list) ? list : []).filter((view) => ArrayBuffer.isView(view)).map(viewOf));
}

function viewOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
