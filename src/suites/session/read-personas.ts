import type { Pointer } from '../../source/place-tree.ts';
import { coveringArray, fullFactorial } from '../../stats/covering-array.ts';
import type { Json, JsonObject } from '../../types/json.ts';
import type { Persona } from '../../types/sessions/persona.ts';
import { VERBOSITIES } from '../../types/sessions/session-user.ts';
import { isJsonArray } from '../../values/is-json.ts';
import { numberAt, tableAt, tablesAt, textAt, valueAt } from '../../workflow/raw-data.ts';
import type { Report } from '../../workflow/report.ts';
import { MOST_AXES, MOST_VALUES } from './persona-schema.ts';

/** Personas that a task may have; more are hardly meant. */
const MOST_ROWS = 1000;

/** What a value of an axis says of a user. */
type Says = Omit<Persona, 'axes'>;

interface Axis {
  readonly name: string;
  readonly at: Pointer;
  /** True: it says something of scripts, too. */
  readonly isForScripts: boolean;
  readonly values: readonly { readonly label: string; readonly says: Says }[];
}

/** The personas of a file, by who plays its users. */
export interface Personas {
  /** One without axes: users come as their tasks have them. */
  of(kind: 'script' | 'model'): readonly Persona[];
}

const AS_IT_IS: Persona = { axes: [], manner: [] };

/**
 * The personas of a file that fits its schema: rows in which every pair of values of two axes occurs, or all combinations.
 * Tells values that make no sense, and axes that are too many.
 */
export function readPersonas(data: JsonObject, report: Report): Personas {
  const axes = [...personaAxis(data, report), ...otherAxes(data, report)];
  const isAll = textAt(tableAt(data, 'session'), 'cover') === 'all';
  if (axes.length === 0 && valueAt(tableAt(data, 'session'), 'cover') !== undefined) {
    report({
      code: 'unused_key',
      message: '"cover" has no effect: the file has no [[personas]] and no [axes].',
      at: ['session', 'cover'],
      part: 'key',
    });
  }
  const values = axes.reduce((sum, axis) => sum + axis.values.length, 0);
  const combined = axes.reduce((product, axis) => product * axis.values.length, 1);
  const wrong =
    axes.length > MOST_AXES
      ? `There are ${axes.length} axes; at most ${MOST_AXES} are covered.`
      : values > MOST_VALUES
        ? `The axes have ${values} values; at most ${MOST_VALUES} are covered.`
        : isAll && combined > MOST_ROWS
          ? `The axes have ${combined} combinations; at most ${MOST_ROWS} are tried.`
          : null;
  if (wrong !== null) {
    const hint = 'Leave some out, or take cover = "pairwise".';
    report({ code: 'too_many', message: wrong, at: axes[0]?.at ?? [], hint });
    return { of: () => [AS_IT_IS] };
  }
  const rows = (kind: 'script' | 'model'): readonly Persona[] => {
    const own = axes.filter(({ isForScripts }) => kind === 'model' || isForScripts);
    if (own.length === 0) return [AS_IT_IS];
    const levels = own.map((axis) => axis.values.length);
    return (isAll ? fullFactorial(levels) : coveringArray(levels)).map((row) => personaOf(own, row));
  };
  const byKind = new Map<string, readonly Persona[]>();
  return {
    of: (kind) => {
      const found = byKind.get(kind) ?? rows(kind);
      byKind.set(kind, found);
      return found;
    },
  };
}

/** What tells nothing of any user of the file: all of them follow scripts. */
export function checkIdleAxes(data: JsonObject, report: Report): void {
  const idle = (at: Pointer, name: string): void =>
    report({
      code: 'unused_key',
      message: `"${name}" has no effect: no model plays a user of this file, and scripts do not have it.`,
      at,
      part: 'key',
    });
  for (const name of Object.keys(tableAt(data, 'axes'))) if (!isScriptAxis(name)) idle(['axes', name], name);
  for (const { table, index } of tablesAt(data, 'personas')) {
    for (const key of ['who', 'manner']) if (valueAt(table, key) !== undefined) idle(['personas', index, key], key);
  }
}

function personaOf(axes: readonly Axis[], row: readonly number[]): Persona {
  const chosen = axes.flatMap(({ name, values }, at) => {
    const value = values[row[at] ?? 0];
    return value === undefined ? [] : [{ name, ...value }];
  });
  const says = chosen.map((one) => one.says);
  return {
    ...Object.assign({}, ...says),
    manner: says.flatMap(({ manner }) => manner),
    axes: chosen.map(({ name, label }) => ({ axis: name, value: label })),
  };
}

/** The axis that named personas make; []: there is none. */
function personaAxis(data: JsonObject, report: Report): readonly Axis[] {
  const taken = new Set<string>();
  const values = tablesAt(data, 'personas').map(({ table, index }) => {
    const label = textAt(table, 'name') ?? '';
    if (taken.has(label)) {
      const message = `There is another persona "${label}".`;
      report({ code: 'duplicate_name', message, at: ['personas', index, 'name'] });
    }
    taken.add(label);
    return { label, says: readPersona(table) };
  });
  return values.length === 0 ? [] : [{ name: 'persona', at: ['personas'], isForScripts: true, values }];
}

function readPersona(table: JsonObject): Says {
  const verbosity = VERBOSITIES.find((word) => word === textAt(table, 'verbosity'));
  const [typos, patience, who] = [numberAt(table, 'typos'), numberAt(table, 'patience'), textAt(table, 'who')];
  return {
    ...(verbosity !== undefined && { verbosity }),
    ...(typos !== undefined && { typos }),
    ...(patience !== undefined && { patience }),
    ...(who !== undefined && { who }),
    manner: Object.entries(tableAt(table, 'manner')).flatMap(([name, value]) =>
      typeof value === 'string' ? [{ name, value }] : [],
    ),
  };
}

function otherAxes(data: JsonObject, report: Report): readonly Axis[] {
  return Object.entries(tableAt(data, 'axes')).map(([name, list]): Axis => {
    const at = ['axes', name];
    if (name === 'persona') {
      const message = '"persona" is the axis that [[personas]] make.';
      report({ code: 'duplicate_name', message, at, part: 'key', hint: 'Give it another name.' });
    }
    const taken = new Set<string>();
    const values = (isJsonArray(list) ? list : []).map((value, index) => {
      const label = String(value);
      const place = [...at, index];
      if (taken.has(label)) {
        report({ code: 'duplicate_name', message: `The axis has another value "${label}".`, at: place });
      }
      taken.add(label);
      const says = readValue(name, value);
      if (says === null) {
        report({ code: 'out_of_range', message: `${label} is no ${name}.`, at: place, hint: RANGES[name] ?? '' });
      }
      return { label, says: says ?? { manner: [] } };
    });
    return { name, at, isForScripts: isScriptAxis(name), values };
  });
}

const RANGES: Readonly<Record<string, string>> = {
  verbosity: `One of ${VERBOSITIES.join(', ')}.`,
  typos: 'A share from 0 to 1.',
  patience: 'A whole number from 1.',
};

function isScriptAxis(name: string): boolean {
  return Object.hasOwn(RANGES, name);
}

/** Null: the axis has no such value. */
function readValue(axis: string, value: Json): Says | null {
  const manner: Persona['manner'] = [];
  switch (axis) {
    case 'verbosity': {
      const verbosity = VERBOSITIES.find((word) => word === value);
      return verbosity === undefined ? null : { verbosity, manner };
    }
    case 'typos':
      return typeof value === 'number' && value >= 0 && value <= 1 ? { typos: value, manner } : null;
    case 'patience':
      return typeof value === 'number' && Number.isInteger(value) && value >= 1 ? { patience: value, manner } : null;
    default:
      return { manner: [{ name: axis, value: String(value) }] };
  }
}
