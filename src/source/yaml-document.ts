import { JSON_NOTATION } from '../schema/notation.ts';
import type { Issue, Location } from '../types/issue.ts';
import type { JsonObject } from '../types/json.ts';
import { isTable } from './json-schema.ts';
import { locationAt } from './location-at.ts';
import { YAML_NOTATION } from './notations.ts';
import { type Pointer, type Range, rangeIn } from './place-tree.ts';
import type { SourceFile } from './source-file.ts';
import type { SourceDocument } from './toml-document.ts';
import { tooDeep } from './toml-to-json.ts';
import { yamlToJson } from './yaml-to-json.ts';

/** The key of the list that a file is which is no table. */
export const ROOT_LIST = '';

/** What parsing one YAML text gave; `issues` of a document are warnings. */
export type YamlResult =
  | { readonly ok: true; readonly document: SourceDocument; readonly issues: readonly Issue[] }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** Parses one document of YAML 1.1 into plain JSON data. The parser is loaded only when this is called. Throws nothing. */
export async function parseYaml(source: SourceFile): Promise<YamlResult> {
  const yaml = await import('yaml');
  const options = {
    version: '1.1',
    // Every scalar stays text, and is read by the rules of PyYAML afterwards.
    schema: 'failsafe',
    uniqueKeys: false,
    prettyErrors: false,
  } as const;
  const parsed = withoutTraces(() => yaml.parseDocument(source.text, options));
  const [error] = parsed.errors;
  if (error !== undefined) return { ok: false, issues: [syntaxIssue(source, error)] };
  const { data, root, issues } = yamlToJson(parsed.contents, source, yaml);
  if (issues.some(({ severity }) => severity === 'error')) return { ok: false, issues };
  const isList = Array.isArray(data);
  if (data !== null && !isList && !isTable(data)) return { ok: false, issues: [noTable(source)] };
  const range = (pointer: Pointer, part: 'key' | 'value' = 'value'): Range =>
    rangeIn(root, isList ? pointer.slice(1) : pointer, part);
  const locate = (pointer: Pointer, part: 'key' | 'value' = 'value'): Location =>
    locationAt(source, ...range(pointer, part));
  // JSON is YAML.
  const notation = source.path.endsWith('.json') ? JSON_NOTATION : YAML_NOTATION;
  const table = isList ? { [ROOT_LIST]: data } : (data ?? {});
  return { ok: true, document: { source, data: table as JsonObject, notation, locate, range }, issues };
}

/** The parser makes an error for each problem of a text, of which there may be a million: their traces would take most of the time. */
function withoutTraces<T>(run: () => T): T {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return run();
  } finally {
    Error.stackTraceLimit = limit;
  }
}

interface YamlError {
  readonly code: string;
  readonly message: string;
  readonly pos: readonly [number, number];
}

function syntaxIssue(source: SourceFile, { code, message, pos: [start, end] }: YamlError): Issue {
  const at = locationAt(source, start, Math.max(end, start + 1));
  if (code === 'RESOURCE_EXHAUSTION') return tooDeep(at);
  if (code === 'MULTIPLE_DOCS') {
    const hint = 'Put each into a file of its own.';
    return { code: 'yaml_syntax', severity: 'error', message: 'The file holds more than one document.', at, hint };
  }
  const reason = message.split('\n', 1)[0] ?? '';
  return { code: 'yaml_syntax', severity: 'error', message: `This is not valid YAML: ${withoutDot(reason)}.`, at };
}

function withoutDot(sentence: string): string {
  return sentence.replace(/[.:\s]+$/, '');
}

function noTable(source: SourceFile): Issue {
  const message = 'The file must be a table of keys and values, or a list of such tables.';
  const hint = 'Begin with keys such as agent: and contract:.';
  return { code: 'wrong_type', severity: 'error', message, at: locationAt(source, 0), hint };
}
