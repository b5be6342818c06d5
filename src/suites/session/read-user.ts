import { checkPattern } from '../../scenario/check-patterns.ts';
import type { Pointer } from '../../source/place-tree.ts';
import { hintFor } from '../../text/did-you-mean.ts';
import type { Json, JsonObject } from '../../types/json.ts';
import {
  type ChangeOfMind,
  type KnownFact,
  type ScriptedReply,
  type ScriptedUser,
  type UserModel,
  VERBOSITIES,
} from '../../types/sessions/session-user.ts';
import { isJsonObject } from '../../values/is-json.ts';
import { numberAt, tableAt, tablesAt, textAt, textsAt, valueAt } from '../../workflow/raw-data.ts';
import type { Report } from '../../workflow/report.ts';
import { requiredText } from '../../workflow/required-values.ts';
import { CARD_KEYS, readModelUser } from './read-model-user.ts';

const DEFAULT_PATIENCE = 3;

/** The user of a table that fits the schema of one. Tells what is no pattern, what nobody knows, and what has no effect. */
export function readUser(
  table: JsonObject,
  at: Pointer,
  { report, mostFailures }: { readonly report: Report; readonly mostFailures: number },
): ScriptedUser | UserModel {
  if (valueAt(table, 'model') !== undefined) return readModelUser(table, at, { report, mostFailures });
  for (const key of CARD_KEYS.filter((one) => valueAt(table, one) !== undefined)) {
    report({
      code: 'unused_key',
      message: `"${key}" has no effect: no model plays this user.`,
      at: [...at, key],
      part: 'key',
      hint: 'Name one with model = "…".',
    });
  }
  return readScript(table, at, report);
}

function readScript(table: JsonObject, at: Pointer, report: Report): ScriptedUser {
  const patterns = (holder: JsonObject, key: string, place: Pointer): readonly string[] => {
    const written = textsAt(holder, key);
    for (const [index, pattern] of written.entries()) checkPattern(pattern, [...place, key, index], report);
    return written;
  };
  const facts = Object.entries(tableAt(table, 'known')).map(([name, fact]): KnownFact => {
    const asked = isJsonObject(fact) ? patterns(fact, 'asked', [...at, 'known', name]) : [];
    return readFact(name, fact, asked);
  });
  const names = facts.map(({ name }) => name);
  return {
    opening: requiredText(table, 'opening', at, report),
    goal: textAt(table, 'goal') ?? null,
    known: facts,
    unknown: patterns(table, 'unknown', at),
    replies: tablesAt(table, 'replies').map(({ table: reply, index }): ScriptedReply => {
      const when = textAt(reply, 'when') ?? '';
      checkPattern(when, [...at, 'replies', index, 'when'], report);
      return { when, says: textAt(reply, 'says') ?? '', times: numberAt(reply, 'times') ?? 1 };
    }),
    changes: tablesAt(table, 'changes').map(({ table: change, index }) => {
      const place = [...at, 'changes', index];
      for (const name of Object.keys(tableAt(change, 'known'))) {
        if (names.includes(name)) continue;
        report({
          code: 'unknown_name',
          message: `The user knows no "${name}" that could change.`,
          at: [...place, 'known', name],
          part: 'key',
          hint: hintFor(name, names, 'names'),
        });
      }
      return readChange(change);
    }),
    ends: patterns(table, 'ends', at),
    verbosity: VERBOSITIES.find((word) => word === textAt(table, 'verbosity')) ?? 'standard',
    typos: numberAt(table, 'typos') ?? 0,
    patience: numberAt(table, 'patience') ?? DEFAULT_PATIENCE,
  };
}

function readFact(name: string, fact: Json, asked: readonly string[]): KnownFact {
  const table = isJsonObject(fact) ? fact : {};
  return {
    name,
    value: typeof fact === 'string' ? fact : (textAt(table, 'value') ?? ''),
    asked: asked.length > 0 ? asked : [nameAsPattern(name)],
    says: textAt(table, 'says') ?? '{{value}}',
  };
}

/** The pattern of a question for what has this name: `order_id` as in "your order id", "Order-ID" or "orderId". */
export function nameAsPattern(name: string): string {
  const words = name.split(/[_\W]+/).filter((word) => word !== '');
  return `(?i)${words.map((word) => word.replace(/[^\p{L}\p{N}]/gu, '.')).join('[ _-]?')}`;
}

function readChange(table: JsonObject): ChangeOfMind {
  const facts = Object.entries(tableAt(table, 'known')).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  );
  return {
    after: numberAt(table, 'after') ?? 1,
    chance: numberAt(table, 'chance') ?? 1,
    says: textAt(table, 'says') ?? '',
    known: Object.fromEntries(facts),
  };
}
