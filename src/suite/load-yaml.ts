import { dirname } from 'node:path';
import { kindOf } from '../suites/kinds.ts';
import { locationAt } from '../source/location-at.ts';
import { displayName, readSource } from '../source/source-file.ts';
import type { SourceDocument } from '../source/toml-document.ts';
import { parseYaml } from '../source/yaml-document.ts';
import type { RegistryView } from '../scenario/registry-view.ts';
import type { Issue } from '../types/issue.ts';
import type { LoadedFile, LoadFileOptions } from './loaded-file.ts';

/** Loads a file in YAML, of a kind that may be written so; scenarios are not. */
export async function loadYaml(path: string, view: RegistryView, options: LoadFileOptions): Promise<LoadedFile | null> {
  const read = readSource(path, options);
  if (!read.ok) return failed(displayName(path, options.root), read.issues);
  const { name } = read.source;
  const parsed = await parseYaml(read.source);
  if (!parsed.ok) return failed(name, parsed.issues);
  const { document, issues } = parsed;
  const kind = kindOf(document, options.kinds);
  const verbs = await kind?.open();
  if (kind === undefined || verbs?.fromYaml === undefined) return failed(name, [...issues, unknownKind(document)]);
  if (options.only !== null && options.only !== kind.plural) return null;
  const loaded = await verbs.load(verbs.fromYaml(document), view, { ...options, folder: dirname(path) });
  const [first, ...others] = loaded.rows;
  const rows = first === undefined ? [] : [{ ...first, issues: [...issues, ...first.issues] }, ...others];
  return { ...loaded, file: name, source: null, document, rows, issues: [...issues, ...loaded.issues] };
}

function failed(file: string, issues: readonly Issue[]): LoadedFile {
  const row = { ok: false, file, name: file, capabilities: [], trials: 0, issues } as const;
  return { file, source: null, rows: [row], definitions: [], notRun: [], issues };
}

function unknownKind({ source }: SourceDocument): Issue {
  return {
    code: 'not_a_contract',
    severity: 'error',
    message: 'This is neither a contract, which has "contract" or "agent", nor a spec, which lists models.',
    at: locationAt(source, 0),
    hint: source.path.endsWith('.json')
      ? 'Runs and reports are read by passk score FILE; of JSON only contracts and specs of models are run.'
      : 'Scenarios are written in TOML; of YAML only contracts and specs of models are read.',
  };
}
