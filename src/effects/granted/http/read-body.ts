import { Buffer } from 'node:buffer';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { bodyTooLong, HttpFailure } from './http-failure.ts';

export interface BodyEncoding {
  /** The value of `content-encoding`; empty: none. */
  readonly encoding: string;
  /** Bytes after decoding. */
  readonly maxBytes: number;
  readonly origin: string;
}

/** More would only help a bomb. */
const MOST_ENCODINGS = 3;

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  deflate: () => createInflate(),
  br: () => createBrotliDecompress(),
};

/** The whole body, decoded, holding at no time much more than its limit. */
export async function readBody(raw: Readable, { encoding, maxBytes, origin }: BodyEncoding): Promise<Buffer> {
  const names = encoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  if (names.length > MOST_ENCODINGS) {
    throw new HttpFailure(`request to ${origin}: the response has more than ${MOST_ENCODINGS} content encodings`);
  }
  const decoders = names.reverse().map((name) => decoderOf(name, origin));
  let body: Readable = raw;
  // The pipeline passes failures and the end on in both directions; the loop below sees them.
  for (const decoder of decoders) body = pipeline(body, decoder, () => undefined);

  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    const part = Buffer.from(chunk);
    bytes += part.length;
    if (bytes > maxBytes) throw bodyTooLong(origin, maxBytes);
    chunks.push(part);
  }
  return Buffer.concat(chunks, bytes);
}

function decoderOf(name: string, origin: string): Transform {
  const create = Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined;
  if (create === undefined)
    throw new HttpFailure(`request to ${origin}: the response's content-encoding is not gzip, deflate or br`);
  return create();
}
