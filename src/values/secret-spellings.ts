import { Buffer } from 'node:buffer';

/** A shorter piece of base64 comes up by chance in a large answer. */
const SHORTEST_CORE = 7;

/**
 * How a value may come back: as it is, in lower case, in JSON, in JSON within JSON, in HTML, percent-encoded, in hexadecimal,
 * or anywhere inside base64.
 */
export function secretSpellings(value: string): readonly string[] {
  const percent = encodeURIComponent(Buffer.from(value).toString());
  const percentLower = percent.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
  const json = inJson(value);
  const texts = [value, value.toLowerCase(), json, inJson(json), inHtml(value), percent, percentLower];
  const form = [percent, percentLower].map((text) => text.replaceAll('%20', '+'));
  // Forms encode more characters than `encodeURIComponent` does.
  form.push(new URLSearchParams([['', value]]).toString().slice(1));
  const hex = Buffer.from(value).toString('hex');
  const base64 = [whole(value), ...[0, 1, 2].map((offset) => core(value, offset))].filter((text) => text !== '');
  const urlSafe = base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  return [...new Set([...texts, ...form, hex, hex.toUpperCase(), ...base64, ...urlSafe])];
}

/** Finds any of these texts, the longest that begins at a place. */
export function anyOf(texts: readonly string[]): RegExp {
  const longestFirst = [...texts].sort((a, b) => b.length - a.length);
  return new RegExp(longestFirst.map(literal).join('|'), 'g');
}

function inJson(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

function inHtml(value: string): string {
  return value.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function whole(value: string): string {
  return Buffer.from(value).toString('base64');
}

/** The characters that every base64 text shows which holds this value `offset` bytes after a multiple of three. */
function core(value: string, offset: number): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(value)]);
  const found = bytes.toString('base64').slice(Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6));
  return found.length < SHORTEST_CORE ? '' : found;
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
