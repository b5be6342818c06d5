import { originIssues } from '../../scenario/origin-issues.ts';
import { checkSchema } from '../../source/check-schema.ts';
import { hintFor } from '../../text/did-you-mean.ts';
import type { SourceDocument } from '../../source/toml-document.ts';
import type { Pointer } from '../../source/place-tree.ts';
import { ROOT_LIST } from '../../source/yaml-document.ts';
import type { Issue } from '../../types/issue.ts';
import type { Json, JsonObject } from '../../types/json.ts';
import { CAPABILITIES, type Capability, type ModelTest } from '../../types/model-test.ts';
import { isJsonObject } from '../../values/is-json.ts';
import { listAt, tablesAt, textAt, textsAt, valueAt } from '../../workflow/raw-data.ts';
import { type Report, toIssue } from '../../workflow/report.ts';
import { BUILTIN_TESTS, DEFAULT_CAPABILITIES } from './builtin-tests.ts';
import { isModelFile } from './document-form.ts';
import type { ValidatorReader } from './read-validators.ts';
import { modelTableSchema, specModelSchema } from './spec-schema.ts';

/** A model with what it is asked. */
export interface ReadModel {
  readonly name: string;
  /** Its table in the file. */
  readonly at: Pointer;
  /** As it lists capabilities; []: it does not. */
  readonly supports: readonly Json[];
  readonly tests: readonly ModelTest[];
}

export interface ReadSpec {
  readonly models: readonly ReadModel[];
  readonly issues: readonly Issue[];
}

/** What a spec file asks of which models, and all that is wrong with it. */
export function readSpec(document: SourceDocument, readValidator: ValidatorReader): ReadSpec {
  const issues: Issue[] = [];
  const report: Report = (found) => issues.push(toIssue(found, document.locate));
  const places = placesIn(document, report);
  if (isModelFile(document)) issues.push(...originIssues(document));
  const models: ReadModel[] = [];
  const taken = new Map<string, Pointer>();
  for (const { at, table, name } of places) {
    issues.push(...checkSchema(document, at, isModelFile(document) ? modelTableSchema : specModelSchema));
    const tests = testsOf(table, at, { report, readValidator });
    if (name === undefined) continue;
    const first = taken.get(name);
    if (first !== undefined) {
      report({
        code: 'duplicate_name',
        message: `The model "${name}" stands in the file twice.`,
        at: [...at, 'model'],
        hint: 'Write all its tests in one place.',
      });
    }
    taken.set(name, at);
    models.push({ name, at, supports: listAt(table, 'supports'), tests });
  }
  return { models, issues };
}

interface ModelPlace {
  readonly at: Pointer;
  readonly table: JsonObject;
  /** Undefined: it has none, which the schema tells. */
  readonly name: string | undefined;
}

function placesIn(document: SourceDocument, report: Report): readonly ModelPlace[] {
  const { data } = document;
  if (isModelFile(document)) {
    const table = data['model'] as JsonObject;
    return [{ at: ['model'], table, name: textAt(table, 'name') }];
  }
  const list = valueAt(data, ROOT_LIST);
  if (!Array.isArray(list)) {
    if (Object.hasOwn(data, 'models')) {
      report({
        code: 'wrong_type',
        message: 'The file has a table "models", where a list of models is meant.',
        at: ['models'],
        part: 'key',
        hint: 'Begin the file with `- model: NAME`, one entry for each model.',
      });
      return [];
    }
    return [{ at: [], table: data, name: textAt(data, 'model') }];
  }
  if (list.length === 0) {
    report({ code: 'asserts_nothing', message: 'The file names no model.', at: [], hint: 'Add `- model: NAME`.' });
  }
  return list.flatMap((entry, index): readonly ModelPlace[] => {
    const at = [ROOT_LIST, index];
    if (isJsonObject(entry)) return [{ at, table: entry, name: textAt(entry, 'model') }];
    report({
      code: 'wrong_type',
      message: `Entry ${index + 1} is no table.`,
      at,
      hint: 'Write `- model: NAME`, with `supports` or `tests` below it.',
    });
    return [];
  });
}

interface ReadingTests {
  readonly report: Report;
  readonly readValidator: ValidatorReader;
}

function testsOf(table: JsonObject, at: Pointer, { report, readValidator }: ReadingTests): readonly ModelTest[] {
  const supports = valueAt(table, 'supports');
  const hasTests = valueAt(table, 'tests') !== undefined;
  const named =
    supports === undefined && !hasTests ? DEFAULT_CAPABILITIES : textsAt(table, 'supports').filter(isCapability);
  tellTwice(table, at, report);
  const customTests = tablesAt(table, 'tests').map(({ index, table: test }): Omit<ModelTest, 'id'> => {
    const place: Pointer = [...at, 'tests', index];
    const input = valueAt(test, 'input');
    if (isJsonObject(input)) checkInput(input, [...place, 'input'], report);
    const stream = valueAt(test, 'stream') === true;
    const request = { input: isJsonObject(input) ? input : {}, stream };
    const validators = listAt(test, 'validators').flatMap((text, position) => {
      const at: Pointer = [...place, 'validators', position];
      return typeof text === 'string' ? (readValidator(text, { test: request, at, report }) ?? []) : [];
    });
    if (listAt(test, 'validators').length === 0) {
      report({
        code: 'asserts_nothing',
        severity: 'warning',
        message: 'The test has no validators: any answer passes it.',
        at: place,
        hint: 'Say in validators what the answer must be.',
      });
    }
    return {
      name: textAt(test, 'name') ?? 'Custom Test',
      capability: null,
      ...request,
      validators,
    };
  });
  if (named.length === 0 && customTests.length === 0 && listAt(table, 'supports').length === 0) {
    report({
      code: 'asserts_nothing',
      message: 'No test is asked for: `supports` and `tests` are empty.',
      at: [...at, supports === undefined ? 'tests' : 'supports'],
      part: 'key',
      hint: 'Name capabilities in supports, or leave both away for the default ones.',
    });
  }
  return withIds(
    [...new Set(named)].flatMap((capability) => BUILTIN_TESTS.get(capability) ?? []),
    customTests,
  );
}

function withIds(builtin: readonly ModelTest[], customTests: readonly Omit<ModelTest, 'id'>[]): readonly ModelTest[] {
  const taken = new Set(builtin.map(({ id }) => id));
  const numbered = customTests.map((test): ModelTest => {
    let id = test.name;
    for (let count = 2; taken.has(id); count++) id = `${test.name} #${count}`;
    taken.add(id);
    return { id, ...test };
  });
  return [...builtin, ...numbered];
}

function isCapability(word: string): word is Capability {
  return (CAPABILITIES as readonly string[]).includes(word);
}

function tellTwice(table: JsonObject, at: Pointer, report: Report): void {
  const seen = new Set<string>();
  for (const [index, word] of listAt(table, 'supports').entries()) {
    if (typeof word !== 'string') continue;
    if (seen.has(word)) {
      report({
        code: 'duplicate_name',
        severity: 'warning',
        message: `The capability "${word}" is named twice; it is tested once.`,
        at: [...at, 'supports', index],
      });
    }
    seen.add(word);
  }
}

const ROLES = ['system', 'user', 'model', 'tool'];

/** What no model could be asked. Everything else is passed on as it is. */
function checkInput(input: JsonObject, at: Pointer, report: Report): void {
  const messages = valueAt(input, 'messages');
  if (!Array.isArray(messages)) {
    report({
      code: messages === undefined ? 'missing_key' : 'wrong_type',
      message: messages === undefined ? 'The input has no "messages".' : '"messages" must be a list.',
      at: messages === undefined ? at : [...at, 'messages'],
      hint: 'Write a list of messages, each with a role and its content.',
    });
    return;
  }
  for (const [index, message] of messages.entries()) {
    const place: Pointer = [...at, 'messages', index];
    if (!isJsonObject(message)) {
      report({ code: 'wrong_type', message: `Message ${index + 1} is no table.`, at: place });
      continue;
    }
    const role = valueAt(message, 'role');
    if (typeof role !== 'string' || !ROLES.includes(role)) {
      report({
        code: role === undefined ? 'missing_key' : 'bad_value',
        message: role === undefined ? 'The message has no "role".' : `"${String(role)}" is no role.`,
        at: role === undefined ? place : [...place, 'role'],
        hint: typeof role === 'string' ? hintFor(role, ROLES, 'roles') : `Known roles: ${ROLES.join(', ')}.`,
      });
    }
    if (!Array.isArray(valueAt(message, 'content'))) {
      report({
        code: 'wrong_type',
        message: 'The "content" of a message must be a list of parts.',
        at: valueAt(message, 'content') === undefined ? place : [...place, 'content'],
        hint: 'Write `content: [{ text: … }]`.',
      });
    }
  }
}
