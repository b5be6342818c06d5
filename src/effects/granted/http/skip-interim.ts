import { Buffer } from 'node:buffer';
import type { Socket } from 'node:net';

/** Bytes of one interim response. */
const LONGEST = 16_384;
/** `HTTP/1.1 100`: what tells an interim response from the one that counts. */
const BEGINNING = 12;

/** What a response may be preceded by. */
export interface InterimResponses {
  /** Called before a request is sent: a response comes next. */
  expectResponse(): void;
}

/**
 * Takes interim responses (`100 Continue`, `103 Early Hints`) out of what a socket reads, where they come before a response.
 * RFC 9110, section 15.2, has clients ignore those that they did not ask for; undici ends the connection at a 100.
 */
export function skipInterim(socket: Socket): InterimResponses {
  const push = socket.push.bind(socket);
  /** What may yet be an interim response; null: the response has begun. */
  let head: Buffer | null = Buffer.alloc(0);
  socket.push = (chunk: unknown, encoding?: BufferEncoding): boolean => {
    if (head === null) return push(chunk, encoding);
    if (!Buffer.isBuffer(chunk)) {
      const rest = head;
      head = null;
      if (rest.length > 0) push(rest);
      return push(chunk, encoding);
    }
    head = withoutInterim(Buffer.concat([head, chunk]));
    if (isOpen(head)) return true;
    const rest = head;
    head = null;
    return push(rest);
  };
  return {
    expectResponse: () => {
      head ??= Buffer.alloc(0);
    },
  };
}

/** The bytes after all interim responses that are whole. */
function withoutInterim(bytes: Buffer): Buffer {
  let rest = bytes;
  for (;;) {
    const end = isInterim(rest) ? rest.indexOf('\r\n\r\n') : -1;
    if (end < 0) return rest;
    rest = rest.subarray(end + 4);
  }
}

/** True: more bytes must say whether this is an interim response, or end it. */
function isOpen(bytes: Buffer): boolean {
  return bytes.length < BEGINNING
    ? 'HTTP/1.'.startsWith(bytes.toString('latin1', 0, 7))
    : isInterim(bytes) && bytes.length < LONGEST;
}

/** 101 is none: it ends HTTP on the connection. */
function isInterim(bytes: Buffer): boolean {
  return /^HTTP\/1\.[01] 1(?!01)\d\d/.test(bytes.toString('latin1', 0, BEGINNING));
}
