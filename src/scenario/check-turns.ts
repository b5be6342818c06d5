import type { TSchema } from 'typebox';
import { Type } from '../source/schema-type.ts';
import { checkSchema } from '../source/check-schema.ts';
import { hintFor } from '../text/did-you-mean.ts';
import { fitsSchema } from '../source/fits-schema.ts';
import { isTable } from '../source/json-schema.ts';
import type { SourceDocument } from '../source/toml-document.ts';
import type { Pointer } from '../source/place-tree.ts';
import type { Issue } from '../types/issue.ts';
import type { Json, JsonObject } from '../types/json.ts';
import { numberAt, tableAt, tablesAt, textAt, textsAt, valueAt } from '../workflow/raw-data.ts';
import { collectIssues, type Report } from '../workflow/report.ts';
import type { RegistryView } from './registry-view.ts';

/** What the schema cannot say about `[[intel.turns]]` and `[faults]`. */
export function checkTurns(document: SourceDocument, registry: RegistryView): readonly Issue[] {
  const turns = tablesAt(tableAt(document.data, 'intel'), 'turns');
  const settings: Issue[] = [];
  const rules = collectIssues(document.locate, (report) => {
    const places = new Map<string, number>();
    for (const { index, table } of turns) {
      const at: Pointer = ['intel', 'turns', index];
      checkTurn(table, at, places, report);
      places.set(textAt(table, 'id') ?? '', index);
      for (const [fault, faultAt] of faultsOf(table, at)) {
        if (checkFault(fault, faultAt, registry, report))
          settings.push(...checkSettings(document, fault, faultAt, registry));
      }
    }
    checkFailingCall(document.data, turns.length, report);
  });
  return [...rules, ...settings];
}

function checkTurn(turn: JsonObject, at: Pointer, places: ReadonlyMap<string, number>, report: Report): void {
  const id = textAt(turn, 'id');
  if (id !== undefined && id !== '' && places.has(id)) {
    report({
      code: 'duplicate_turn_id',
      message: `Turn id "${id}" is used again (first by turn ${places.get(id)}).`,
      at: [...at, 'id'],
      hint: 'Give each turn an id of its own, or none.',
    });
  }
  if (valueAt(turn, 'repeat') === true && textAt(turn, 'node') === undefined) {
    report({
      code: 'repeat_without_node',
      message: 'Only a turn that is addressed to a node can repeat.',
      at: [...at, 'repeat'],
      hint: 'Add node, or remove repeat.',
    });
  }
  const variants = valueAt(turn, 'variants');
  if (!Array.isArray(variants) || variants.length === 0) return;
  for (const key of ['content', 'prompt_tokens', 'completion_tokens']) {
    if (valueAt(turn, key) === undefined) continue;
    report({
      code: 'ignored_key',
      severity: 'warning',
      message: `This turn has variants, so its own ${key} is ignored.`,
      at: [...at, key],
      part: 'key',
      hint: `Move ${key} into the variants, or remove it.`,
    });
  }
}

function faultsOf(turn: JsonObject, at: Pointer): readonly (readonly [Json, Pointer])[] {
  const variants = tablesAt(turn, 'variants').map(({ index, table }) => [table, [...at, 'variants', index]] as const);
  return [[turn, at] as const, ...variants].flatMap(([table, place]) => {
    const fault = valueAt(table, 'fault');
    return fault === undefined ? [] : [[fault, [...place, 'fault']] as const];
  });
}

/** True when the fault is known and its settings can be looked at. */
function checkFault(fault: Json, at: Pointer, registry: RegistryView, report: Report): boolean {
  const type = typeof fault === 'string' ? fault : isTable(fault) ? textAt(fault, 'type') : undefined;
  if (type === undefined) return false;
  const schema = registry.faultTypes.get(type);
  if (schema === undefined) {
    report({
      code: 'unknown_fault',
      message: `There is no fault "${type}".`,
      at: typeof fault === 'string' ? at : [...at, 'type'],
      hint: () => hintFor(type, [...registry.faultTypes.keys()], 'faults'),
    });
    return false;
  }
  if (typeof fault !== 'string' || schema === null || fitsSchema(schema, {})) return true;
  report({
    code: 'missing_key',
    message: `Fault "${type}" needs settings: ${textsAt(schema as JsonObject, 'required').join(', ')}.`,
    at,
    hint: `Write it as a table: fault = { type = "${type}", … }.`,
  });
  return false;
}

function checkSettings(document: SourceDocument, fault: Json, at: Pointer, registry: RegistryView): readonly Issue[] {
  const type = isTable(fault) ? textAt(fault, 'type') : undefined;
  const schema = type === undefined ? null : registry.faultTypes.get(type);
  if (type === undefined || schema === null || schema === undefined) return [];
  return checkSchema(document, at, faultDocumentSchema(schema));
}

const documentSchemas = new WeakMap<TSchema, TSchema>();

function faultDocumentSchema(schema: TSchema): TSchema {
  let composed = documentSchemas.get(schema);
  if (composed === undefined) {
    const plainSchema = schema as JsonObject;
    composed = { ...plainSchema, properties: { type: Type.String(), ...tableAt(plainSchema, 'properties') } };
    documentSchemas.set(schema, composed);
  }
  return composed;
}

function checkFailingCall(data: JsonObject, turns: number, report: Report): void {
  const call = numberAt(tableAt(data, 'faults'), 'intel_error_on_call');
  if (call === undefined || (call > 0 && turns > 0)) return;
  report({
    code: 'unused_fault',
    severity: 'warning',
    message:
      call === 0
        ? 'Model calls count from 1, so this fault never fires.'
        : 'The scenario declares no turns, so this fault never fires.',
    at: ['faults', 'intel_error_on_call'],
    hint: 'Name the model request that fails, counting from 1, or remove the fault.',
  });
}
