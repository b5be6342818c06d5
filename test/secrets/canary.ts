import { Buffer } from 'node:buffer';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Ended } from '../cli/run-passk.ts';

/** How a secret could stand in a file: as it is, or as the encodings of our formats and of HTTP make it. */
export function spellings(secret: string): readonly string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const core = (offset: number): string => {
    const encoded = Buffer.from(' '.repeat(offset) + secret).toString('base64');
    return encoded.slice(4, Math.floor(((offset + Buffer.from(secret).length) * 8) / 6));
  };
  const entities = secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  const base64 = [0, 1, 2].map(core);
  return [
    secret,
    json,
    JSON.stringify(json).slice(1, -1),
    encodeURIComponent(secret),
    new URLSearchParams({ a: secret }).toString().slice(2),
    entities,
    ...base64,
    ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
  ];
}

export const REPORTERS = [
  'text',
  'json',
  'reference-json',
  'ndjson',
  'junit',
  'tap',
  'markdown',
  'github',
  'inspect',
  'atif',
  'html',
];

/** Every file below a folder, and what was printed, by name. */
export function artifacts(folder: string, ended: readonly Ended[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (name.endsWith('.toml')) continue;
    try {
      // Binary files too: a text in them is a text.
      found.set(name, readFileSync(path.join(folder, name), 'utf8'));
    } catch {
      // A folder.
    }
  }
  for (const [index, { stdout, stderr }] of ended.entries()) {
    found.set(`stdout ${index}`, stdout);
    found.set(`stderr ${index}`, stderr);
  }
  return found;
}
