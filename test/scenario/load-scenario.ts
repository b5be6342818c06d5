import { resolve } from 'node:path';
import { isWorkflowDocument } from '../../src/scenario/document-kind.ts';
import { type LoadOptions, loadScenarioDocument, openScenario } from '../../src/scenario/load-scenario.ts';
import type { RegistryView } from '../../src/scenario/registry-view.ts';
import { parseToml } from '../../src/source/toml-document.ts';
import type { LoadedScenario, WorkflowSubject } from '../../src/types/scenario.ts';
import { MEMORY } from '../../src/values/name-from-root.ts';

/** Loads one scenario file with everything it names; null when the file is a workflow. */
export function loadScenario(
  file: string,
  registry: RegistryView,
  options: LoadOptions,
): LoadedScenario<WorkflowSubject> | null {
  const opened = openScenario(resolve(options.cwd, file), options);
  if (!opened.ok) return opened.loaded;
  if (isWorkflowDocument(opened.document)) return null;
  return loadScenarioDocument(opened.document, registry, { ...options, folder: opened.folder });
}

/** Loads a scenario from TOML text; files it names are looked for in the working directory. */
export function loadScenarioText(
  text: string,
  registry: RegistryView,
  options: LoadOptions,
): LoadedScenario<WorkflowSubject> {
  const parsed = parseToml({ path: MEMORY, name: MEMORY, text });
  if (parsed.ok) return loadScenarioDocument(parsed.document, registry, { ...options, folder: options.cwd });
  return { ok: false, file: MEMORY, name: MEMORY, capabilities: [], trials: 0, issues: parsed.issues };
}
