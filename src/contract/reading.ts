import type { SourceDocument } from '../source/toml-document.ts';
import type { Pointer } from '../source/toml-positions.ts';
import type { Chaos } from '../types/chaos.ts';
import type { JsonObject } from '../types/json.ts';
import { textAt, valueAt } from '../workflow/raw-data.ts';
import type { Report } from '../workflow/report.ts';

/** Where the files of a contract are looked for. */
export interface ContractPlaces {
  /** Absolute; names in reports are relative to it. */
  readonly root: string;
  /** Absolute folder of the contract file. */
  readonly folder: string;
  /** Larger files are refused. */
  readonly maxBytes?: number;
  /** What lies elsewhere is not opened; absent: anywhere. */
  readonly within?: readonly string[];
}

/** What reading a contract file needs. */
export interface Reading {
  readonly document: SourceDocument;
  readonly places: ContractPlaces;
  /** Chaos of profiles that the file names, by the name; null: it could not be read, which has been said. */
  readonly profiles: ReadonlyMap<string, Chaos | null>;
  /** Ways to compare texts that a file may name; absent: passk's own only. */
  readonly similarities?: readonly string[];
  readonly report: Report;
}

/** The text under a key that has to be there and not to be empty; '' when it is not, which is then reported. */
export function requiredText(table: JsonObject, key: string, at: Pointer, report: Report, hint?: string): string {
  const value = valueAt(table, key);
  // A value of another type has been told by the schema.
  if (value !== undefined && value !== '') return textAt(table, key) ?? '';
  const found = value === '' ? { at: [...at, key], message: `"${key}" must not be empty.` } : null;
  report({
    code: found === null ? 'missing_key' : 'out_of_range',
    message: found?.message ?? `This table needs the key "${key}".`,
    at: found?.at ?? at,
    ...(hint !== undefined && { hint }),
  });
  return '';
}
