import path from 'node:path';
import { isTable } from '../source/json-schema.ts';
import type { Pointer } from '../source/place-tree.ts';
import { readSource } from '../source/source-file.ts';
import { parseToml, type SourceDocument } from '../source/toml-document.ts';
import { valueAt } from '../source/value-at.ts';
import type { AgentTarget } from '../types/agent.ts';
import { ANSWERER, type FilePlaces } from '../types/check-places.ts';
import type { Location } from '../types/issue.ts';
import type { Json, JsonObject } from '../types/json.ts';
import type { Scenario } from '../types/scenario.ts';
import { deepEqual } from '../values/deep-equal.ts';
import { nameFromRoot } from '../values/name-from-root.ts';
import type { DocumentOf } from './check-places.ts';

export interface FilePlacesOptions {
  readonly documentOf: DocumentOf;
  /** What `--agents` names, absolute; null: nothing. */
  readonly agentsFile: string | null;
  /** Absolute folder that names of files are relative to. */
  readonly root: string;
  /** The root of the suite as seen from the working folder; undefined: it is that one. */
  readonly seenRoot: string | undefined;
}

/** Finds places in the texts of files once more. */
export function filePlaces({ documentOf, agentsFile, root, seenRoot }: FilePlacesOptions): FilePlaces {
  const locate = (document: SourceDocument, pointer: Pointer): Location => {
    const at = document.locate(pointer);
    return { ...at, file: nameFromRoot(seenRoot, at.file) };
  };
  return {
    ofAgent: (scenario, key) => {
      for (const document of [agentsFile === null ? null : read(agentsFile, root), documentOf(scenario.file)]) {
        const at = document === null ? undefined : agentTable(document.data, scenario);
        if (document === null || at === undefined) continue;
        return locate(document, [...at, ...(key === ANSWERER ? answererIn(document.data, at) : key)]);
      }
      return undefined;
    },
    ofValue: (scenario, key) => {
      const document = documentOf(scenario.file);
      return document === null ? undefined : locate(document, [...(scenario.inFile ?? []), ...key]);
    },
    ofFile: (scenario, file) => {
      const document = documentOf(scenario.file);
      const folder = path.posix.dirname(scenario.file);
      const at = document === null ? null : findText(document.data, (text) => path.posix.join(folder, text) === file);
      return document === null || at === null ? undefined : locate(document, at);
    },
  };
}

function read(file: string, root: string): SourceDocument | null {
  const found = readSource(file, { root });
  const parsed = found.ok ? parseToml(found.source) : null;
  return parsed?.ok === true ? parsed.document : null;
}

/** Where the agent of a scenario is described; undefined: not in this file. */
function agentTable(data: JsonObject, scenario: Scenario): Pointer | undefined {
  const { agent, agents } = data;
  const places: readonly Pointer[] = [
    ...(isTable(agent) ? [['agent']] : []),
    ...(Array.isArray(agents) ? agents.map((_, index) => ['agents', index]) : []),
  ];
  if (places.length < 2) return places[0];
  const describes = describerOf(scenario);
  return places.find((place) => {
    const table = valueAt(data, place);
    return isTable(table) && describes(table);
  });
}

/** Tells the table of a scenario's agent from those of others. */
function describerOf({ subject, file }: Scenario): (table: JsonObject) => boolean {
  const folder = path.posix.dirname(file);
  if (subject.kind === 'agent') return (table) => isCalledSo(table, subject.agent.target, folder);
  if (subject.kind !== 'session') return () => false;
  const { agent } = subject;
  switch (agent.kind) {
    case 'outside':
      return (table) => isCalledSo(table, agent.agent.target, folder);
    case 'module':
      return (table) => isCalledSo(table, { ...agent, inputKey: null }, folder);
    case 'model':
      return ({ model, endpoint }) => {
        if (agent.endpoint === null) return model === agent.model;
        return model === agent.endpoint.model && endpoint !== undefined;
      };
    default:
      return () => false;
  }
}

function isCalledSo(table: JsonObject, target: AgentTarget, folder: string): boolean {
  const { endpoint, headers = {}, command = [], module, export: exported = 'default', python = endpoint } = table;
  switch (target.kind) {
    case 'http':
      return endpoint === target.url && deepEqual(headers, target.headers);
    case 'command':
      return deepEqual(command, target.command);
    case 'module':
      return isFileOf(module, target.file, folder) && exported === target.exported;
    case 'python':
      return python === `${target.module}:${target.attribute}`;
    case 'function':
      return false;
  }
}

function isFileOf(name: Json | undefined, file: string, folder: string): boolean {
  return typeof name === 'string' && path.posix.join(folder, name) === file;
}

function answererIn(data: JsonObject, at: Pointer): Pointer {
  const table = valueAt(data, at);
  const found = ['command', 'module', 'python', 'endpoint'].find((key) => isTable(table) && Object.hasOwn(table, key));
  return found === undefined ? [] : [found];
}

/** Where the first text stands that is looked for; null: nowhere. */
function findText(value: Json, isIt: (text: string) => boolean): Pointer | null {
  if (typeof value === 'string') return isIt(value) ? [] : null;
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, inner] of Object.entries(value)) {
    const found = findText(inner, isIt);
    if (found !== null) return [Array.isArray(value) ? Number(key) : key, ...found];
  }
  return null;
}
