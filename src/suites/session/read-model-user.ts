import type { Pointer } from '../../source/place-tree.ts';
import type { JsonObject } from '../../types/json.ts';
import type { PersonaCard, UserModel, UserTurn } from '../../types/sessions/session-user.ts';
import { isJsonObject } from '../../values/is-json.ts';
import { numberAt, tableAt, tablesAs, textAt, textsAt, valueAt } from '../../workflow/raw-data.ts';
import type { Report } from '../../workflow/report.ts';
import { requiredText } from '../../workflow/required-values.ts';

/** Keys that only a user has whom a model plays. */
export const CARD_KEYS = ['who', 'hidden', 'manner', 'done_when', 'turns'] as const;

/** Keys of scripts: what a model does is its own affair. */
const SCRIPT_KEYS = ['replies', 'changes', 'ends', 'typos', 'patience'] as const;

/** A user whom a model plays, of a table that fits the schema. Tells what a model has no use for. */
export function readModelUser(
  table: JsonObject,
  at: Pointer,
  { report, mostFailures }: { readonly report: Report; readonly mostFailures: number },
): UserModel {
  const unused = (key: string, place: Pointer): void =>
    report({
      code: 'unused_key',
      message: `"${key}" has no effect: a model plays this user, and follows no script.`,
      at: place,
      part: 'key',
      hint: 'Say it on the card, in goal, manner or done_when.',
    });
  for (const key of SCRIPT_KEYS) if (valueAt(table, key) !== undefined) unused(key, [...at, key]);
  const facts = Object.entries(tableAt(table, 'known')).map(([name, fact]) => {
    const one = isJsonObject(fact) ? fact : {};
    for (const key of ['asked', 'says']) if (valueAt(one, key) !== undefined) unused(key, [...at, 'known', name, key]);
    return { name, value: typeof fact === 'string' ? fact : (textAt(one, 'value') ?? '') };
  });
  return {
    kind: 'model',
    model: requiredText(table, 'model', at, report),
    card: readCard(table, facts),
    turns: tablesAs(table, 'turns', readTurn),
    mostFailures,
  };
}

function readCard(table: JsonObject, facts: PersonaCard['known']): PersonaCard {
  const verbosity = textAt(table, 'verbosity');
  const manner = Object.entries(tableAt(table, 'manner')).flatMap(([name, value]) =>
    typeof value === 'string' ? [{ name, value }] : [],
  );
  return {
    opening: textAt(table, 'opening') ?? null,
    who: textAt(table, 'who') ?? null,
    goal: textAt(table, 'goal') ?? null,
    known: facts,
    unknown: textsAt(table, 'unknown'),
    hidden: textsAt(table, 'hidden'),
    manner: [...(verbosity === undefined ? [] : [{ name: 'verbosity', value: verbosity }]), ...manner],
    ends: textAt(table, 'done_when') ?? null,
  };
}

function readTurn(turn: JsonObject): UserTurn {
  const variants = tablesAs(turn, 'variants', readVariant);
  return { repeat: valueAt(turn, 'repeat') === true, variants: variants.length > 0 ? variants : [readVariant(turn)] };
}

function readVariant(table: JsonObject): UserTurn['variants'][number] {
  return { weight: numberAt(table, 'weight') ?? 1, says: textAt(table, 'says') ?? '' };
}
