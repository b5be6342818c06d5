import { readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type {
  ImportedRun,
  ImporterType,
  ImportOptions,
  ImportProblem,
  ImportSource,
} from '../../src/plugin/importer-type.ts';
import type { RunPlace } from '../../src/importers/run-places.ts';
import type { JsonObject } from '../../src/types/json.ts';

/** A source in memory: text or bytes by name; one name is a file by itself. */
export function sourceOf(files: Readonly<Record<string, string | Uint8Array>>, name?: string): ImportSource {
  const names = Object.keys(files).sort();
  const bytes = names.map((one) => Buffer.from(files[one] ?? ''));
  return {
    name: name ?? names[0] ?? '',
    files: names.map((one, at) => ({ name: one, bytes: bytes[at]?.length ?? 0 })),
    head: (file) => bytes[file]?.subarray(0, 65536) ?? new Uint8Array(),
    read(file, from, to) {
      const all = bytes[file];
      if (all === undefined || from < 0 || to > all.length) throw new RangeError('There are no such bytes.');
      return all.subarray(from, to);
    },
  };
}

/** A file or folder of the disk as a source. */
export function sourceAt(place: string): ImportSource {
  if (!statSync(place).isDirectory()) return sourceOf({ [path.basename(place)]: readFileSync(place) });
  const names = readdirSync(place, { recursive: true, encoding: 'utf8' }).filter((one) =>
    statSync(path.join(place, one)).isFile(),
  );
  const files = names.map((one) => [one.split(path.sep).join('/'), readFileSync(path.join(place, one))] as const);
  return sourceOf(Object.fromEntries(files), path.basename(place));
}

/** What an importer made of a source: each set with its runs, and what could not be used. */
export interface Imported {
  readonly sets: Readonly<Record<string, readonly ImportedRun[]>>;
  /** Why runs could not be read, in order. */
  readonly broken: readonly string[];
  readonly problems: readonly ImportProblem[];
}

/** Everything of a source, as a run of passk would see it. */
export function importAll(importer: ImporterType, source: ImportSource, options: ImportOptions = {}): Imported {
  const places = new Map<string, RunPlace[]>();
  const problems: ImportProblem[] = [];
  let shared: JsonObject = {};
  const steps = importer.index(
    source,
    {
      set(name) {
        const own = places.get(name) ?? [];
        places.set(name, own);
        return {
          add: (...pieces) => void own.push({ pieces, counted: null }),
          addNamed: (_, ...pieces) => void own.push({ pieces, counted: null }),
          constant: () => undefined,
          addCounted({ count, pieces, ...counted }) {
            for (let left = count; left > 0; left--) own.push({ pieces, counted });
          },
        };
      },
      share: (given) => {
        shared = given;
      },
      follows: () => undefined,
      problem: (problem) => void problems.push(problem),
    },
    options,
  );
  for (const _ of steps);
  const broken: string[] = [];
  const sets: Record<string, ImportedRun[]> = {};
  for (const [name, runs] of places) {
    sets[name] = runs.flatMap(({ pieces, counted }) => {
      const files = pieces.map(({ file }) => source.files[file]?.name ?? '');
      const context = { shared, set: name, options, files, counted };
      try {
        return [
          importer.read(
            pieces.map(({ file, from, to }) => source.read(file, from, to)),
            context,
          ),
        ];
      } catch (error) {
        broken.push(error instanceof Error ? error.message : String(error));
        return [];
      }
    });
  }
  return { sets, broken, problems };
}
