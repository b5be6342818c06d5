import type { TSchema } from 'typebox';
import type { Pointer } from '../../source/place-tree.ts';
import type { InvariantRule } from '../../types/invariant.ts';
import type { Json, JsonObject } from '../../types/json.ts';
import type { JudgingPlugin } from '../../types/scenarios/code-check.ts';
import type { Report } from '../../workflow/report.ts';

/** How the rule of a type stands in a file; main thread only. */
export interface InvariantSchema<R extends InvariantRule = InvariantRule> {
  readonly type: R['type'];
  /** Its own keys in snake_case. Types share a table, so a key of two types has the same schema in both. */
  readonly keys: Readonly<Record<string, TSchema>>;
  /** The rule, with what is missing or out of range reported; null: there is none, which is then reported. */
  read(table: JsonObject, at: Pointer, reading: RuleReading): R | null;
}

export interface RuleReading {
  readonly report: Report;
  /** The JSON Schema that a value holds or names; null: none that can be enforced, which is reported. */
  readSchema(value: Json | undefined, at: Pointer): Json | null;
  /** The module of that name, relative to the suite's root; null: there is none, which is reported. */
  moduleFile(name: string, at: Pointer): string | null;
  /** The plug-in of that type with what its table says to it; null: there is none, or its settings are wrong, which is reported. */
  plugin(type: string, table: JsonObject, at: Pointer): JudgingPlugin | null;
}
