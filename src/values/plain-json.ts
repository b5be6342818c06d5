import type { Json } from '../types/json.ts';
import { exactJsonText, readExactJson } from './exact-json.ts';
import { messageOf } from './message-of.ts';
import { setOwn } from './set-own.ts';

/** Lists and objects inside each other. */
const MAX_DEPTH = 1000;

/** A value as plain data, or the reason why it is none. */
export type PlainCopy =
  | { readonly ok: true; readonly value: Json }
  /** `isTooLong`: nothing else was found before the length was used up. */
  | { readonly ok: false; readonly reason: string; readonly isTooLong: boolean };

export interface PlainOptions {
  /** Longest JSON text, about. */
  readonly maxLength: number;
  /** True: keys that hold undefined are left out, as TypeScript writes what is absent; default: they are refused. */
  readonly leavesOutUndefined?: boolean;
}

/**
 * A copy of a value that came from code of the user: frozen by convention, with each property read once, so that whoever
 * judges, shows or sends it sees the same. Functions, symbols, undefined, numbers that JSON does not know, and objects with
 * a behaviour of their own are no data.
 */
export function plainCopy(value: unknown, { maxLength, leavesOutUndefined = false }: PlainOptions): PlainCopy {
  const copying = new Copying(maxLength, leavesOutUndefined);
  try {
    return { ok: true, value: copying.copyOf(value) };
  } catch (error) {
    const { place } = copying;
    if (error instanceof NoData) return { ok: false, reason: error.message + place, isTooLong: false };
    if (error instanceof TooLong) return { ok: false, reason: tooLong(maxLength), isTooLong: true };
    return { ok: false, reason: `it cannot be read${place}: ${messageOf(error)}`, isTooLong: false };
  }
}

/** One copy in the making. */
class Copying {
  private left: number;
  private readonly leavesOutUndefined: boolean;
  /** Where the part stands that is being copied. */
  private readonly path: string[] = [];

  constructor(maxLength: number, leavesOutUndefined: boolean) {
    this.left = maxLength;
    this.leavesOutUndefined = leavesOutUndefined;
  }

  /** Of what was thrown; '': the value itself. */
  get place(): string {
    return placeOf(this.path);
  }

  copyOf(part: unknown): Json {
    this.count(typeof part === 'string' ? part.length + 2 : 1);
    if (part === null || typeof part === 'boolean' || typeof part === 'string') return part;
    if (typeof part === 'bigint') return this.integer(part);
    if (typeof part === 'number') {
      if (!Number.isFinite(part)) throw new NoData(`it holds the number ${part}`);
      // JSON has no -0.
      return part === 0 ? 0 : part;
    }
    if (typeof part !== 'object') {
      throw new NoData(part === undefined ? 'it holds undefined' : `it holds a ${typeof part}`);
    }
    // Also what a cycle runs into.
    if (this.path.length >= MAX_DEPTH) {
      this.path.length = 0;
      throw new NoData(`it is nested deeper than ${MAX_DEPTH} levels or contains itself`);
    }
    if (Array.isArray(part)) return this.listOf(part);
    if (!isPlain(part)) throw new NoData('it holds an object that is not plain data');
    return this.objectOf(part);
  }

  private listOf(list: readonly unknown[]): Json {
    if ('toJSON' in list) throw new NoData('it holds an object that is not plain data');
    const { length } = list;
    this.count(length);
    const copy: Json[] = [];
    for (let i = 0; i < length; i++) copy.push(this.partAt(String(i), list[i]));
    if (Object.keys(list).length !== length) throw new NoData('it holds a list with keys of its own');
    return copy;
  }

  private objectOf(object: object): Json {
    const copy: Record<string, Json> = {};
    for (const key of Object.keys(object)) {
      this.count(key.length + 3);
      this.path.push(key);
      const inner = (object as Readonly<Record<string, unknown>>)[key];
      this.path.pop();
      if (inner === undefined && this.leavesOutUndefined) continue;
      setOwn(copy, key, this.partAt(key, inner));
    }
    return copy;
  }

  private partAt(key: string, inner: unknown): Json {
    this.path.push(key);
    const copy = this.copyOf(inner);
    // Not in `finally`: where something is thrown, the path says where.
    this.path.pop();
    return copy;
  }

  private integer(value: bigint): Json {
    if (Number.isSafeInteger(Number(value))) return Number(value);
    this.count(value.toString(16).length);
    return value;
  }

  private count(units: number): void {
    this.left -= units;
    if (this.left < 0) throw new TooLong();
  }
}

/** The JSON text of a value that came from code of the user, of at most `maxLength` characters. */
export function plainJsonText(
  value: unknown,
  maxLength: number,
): { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string } {
  const copy = plainCopy(value, { maxLength });
  if (!copy.ok) return copy;
  const text = exactJsonText(copy.value);
  return text.length <= maxLength ? { ok: true, text } : { ok: false, reason: tooLong(maxLength) };
}

/** What `plainJsonText` wrote. */
export function readJsonText(text: string): Json {
  return readExactJson(text) as Json;
}

class NoData extends Error {}
class TooLong extends Error {}

function isPlain(value: object): boolean {
  if ('toJSON' in value) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

/** Enough of a path to find a place by. */
const LONGEST_PLACE = 100;

function placeOf(path: readonly string[]): string {
  if (path.length === 0) return '';
  const place = path.slice(0, LONGEST_PLACE).join('.');
  return ` at "${place.length > LONGEST_PLACE ? `${place.slice(0, LONGEST_PLACE)}…` : place}"`;
}

function tooLong(maxLength: number): string {
  return `its JSON text is longer than ${maxLength} characters`;
}
