import { dirname } from 'node:path';
import { isSuiteFile } from '../source/scan-folder.ts';
import { readSource } from '../source/source-file.ts';
import { isSpecData } from '../suites/model/document-form.ts';
import { jsonIn } from '../values/json-in.ts';

/** True for a file that scenarios may stand in. What is neither TOML nor YAML, nor a module or a spec in JSON, holds recorded runs. */
export function holdsScenarios(file: string): boolean {
  if (!file.endsWith('.json')) return isSuiteFile(file);
  // Larger ones are no specs, and are not read.
  const read = readSource(file, { root: dirname(file) });
  const data = read.ok ? jsonIn(read.source.text) : undefined;
  return data !== undefined && isSpecData(data);
}
