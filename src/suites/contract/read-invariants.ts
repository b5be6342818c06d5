import { invariantTypes } from '../../checks/invariants/builtin.ts';
import { hintFor } from '../../text/did-you-mean.ts';
import type { Pointer } from '../../source/place-tree.ts';
import { type Invariant, type InvariantRule, SEVERITIES, WHENS } from '../../types/invariant.ts';
import type { JsonObject } from '../../types/json.ts';
import { judgeOfRule } from '../../types/judges/named-judges.ts';
import { tablesAt, textAt, textsAt, valueAt } from '../../workflow/raw-data.ts';
import { namedCode } from '../../scenario/objects/named-code.ts';
import { readRule } from './read-rule.ts';
import { requiredText } from '../../workflow/required-values.ts';
import type { Reading } from './reading.ts';

const INVARIANT_WORDS = invariantTypes.map(({ type }) => type);

export interface InvariantsForm {
  /** Whether each has to have an id of its own. */
  readonly named: boolean;
  /** True: judges may decide them, and contexts. Elsewhere these have keys of their own. */
  readonly judged?: true;
}

/** The invariants of a list. */
export function readInvariants(
  holder: JsonObject,
  at: Pointer,
  reading: Reading,
  { named, judged }: InvariantsForm,
): readonly Invariant[] {
  const list = tablesAt(holder, 'invariants');
  const taken = new Set(list.flatMap(({ table }) => textAt(table, 'id') ?? []));
  const seen = new Set<string>();
  return list.flatMap(({ index, table }) => {
    const place = [...at, 'invariants', index];
    const written = textAt(table, 'id');
    const id = written ?? (named ? '' : freeId(textAt(table, 'type') ?? 'invariant', taken));
    if (named) requiredText(table, 'id', place, reading.report, 'Reports and scores name invariants by their id.');
    if (written !== undefined && written !== '' && seen.has(written)) {
      reading.report({
        code: 'duplicate_id',
        message: `Invariant id "${written}" is used again.`,
        at: [...place, 'id'],
        hint: 'Give each invariant of a contract an id of its own.',
      });
    }
    seen.add(id);
    const invariant = readInvariant(table, id, place, reading);
    if (invariant !== null) checkJudged(invariant, place, reading, judged === true);
    return invariant === null ? [] : [invariant];
  });
}

function readInvariant(table: JsonObject, id: string, at: Pointer, reading: Reading): Invariant | null {
  const code = namedCode(reading.document, at, reading.places);
  if (code === null) requiredText(table, 'type', at, reading.report, hintFor('', INVARIANT_WORDS, 'types'));
  else checkAlone(table, at, reading);
  const rule: InvariantRule | null = code === null ? readRule(table, at, reading) : { type: 'function', code };
  if (rule === null) return null;
  const description = textAt(table, 'description');
  const severity = textAt(table, 'severity');
  const when = textAt(table, 'when');
  return {
    id,
    ...(description === undefined ? {} : { description }),
    severity: SEVERITIES.find((word) => word === severity) ?? 'medium',
    when: WHENS.find((word) => word === when) ?? 'always',
    negate: valueAt(table, 'negate') === true,
    probes: textsAt(table, 'probes'),
    rule,
  };
}

/** A function decides by itself. */
function checkAlone(table: JsonObject, at: Pointer, { report }: Reading): void {
  if (valueAt(table, 'type') === undefined) return;
  report({
    code: 'conflicting_keys',
    message: 'The rule has both `check` and `type`.',
    at: [...at, 'type'],
    hint: 'Keep one of them.',
  });
}

/** The keys under which others than contracts expect the same, by the type of the rule. */
const KEYS: ReadonlyMap<string, string> = new Map([
  ['module', 'checks'],
  ['judge', 'judges'],
  ['prefers', 'prefers'],
  ['faithful', 'faithful'],
]);

/** What a judge gets wrong is corrected by the cell of a contract, and of a rule that is not turned around. */
function checkJudged({ rule, negate }: Invariant, at: Pointer, { report }: Reading, mayJudge: boolean): void {
  const key = KEYS.get(rule.type);
  if (!mayJudge && key !== undefined) {
    report({
      code: 'not_allowed',
      message: `Only contracts have invariants of the type "${rule.type}".`,
      at: [...at, 'type'],
      hint: `Write it under \`${key}\` instead.`,
    });
  }
  if (!negate || judgeOfRule(rule) === null) return;
  report({
    code: 'not_allowed',
    message: 'What a judge says cannot be turned around: nobody has measured how often it is wrong about that.',
    at: [...at, 'negate'],
    hint: 'Write a judge that is asked for what must hold.',
  });
}

/** Run-level invariants need no id: their type is one, with a number where it is taken. */
function freeId(type: string, taken: Set<string>): string {
  let id = type;
  for (let number = 2; taken.has(id); number++) id = `${type}-${number}`;
  taken.add(id);
  return id;
}
