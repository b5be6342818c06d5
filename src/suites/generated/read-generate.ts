import type { TSchema } from 'typebox';
import { generatorsWith } from '../../generators/builtin.ts';
import { readIsoWeek, seedOfWeek } from '../../generators/iso-week.ts';
import type { RegistryView } from '../../scenario/registry-view.ts';
import { checkSchema, valueProblems } from '../../source/check-schema.ts';
import type { SourceDocument } from '../../source/toml-document.ts';
import { hintFor } from '../../text/did-you-mean.ts';
import { RELATIONS, type Relation } from '../../types/generated/generated-set.ts';
import type { Issue } from '../../types/issue.ts';
import type { JsonObject } from '../../types/json.ts';
import { canonicalJson } from '../../values/canonical-json.ts';
import { numberAt, tableAt, textAt, textsAt, valueAt } from '../../workflow/raw-data.ts';
import { collectIssues, type Report } from '../../workflow/report.ts';
import { generateSchema } from './generate-schema.ts';

/** What a file wants to have generated. */
export interface WantedSet {
  readonly family: string;
  readonly count: number;
  readonly seed: number;
  /** The ISO week that gave the seed; null: none did. */
  readonly week: string | null;
  readonly params: JsonObject;
  readonly relations: readonly Relation[];
  /** The hash that the set must have; null: any. */
  readonly hash: string | null;
  readonly timeoutMs: number;
}

const DEFAULT_TIMEOUT_MS = 5_000;
const AT = ['generate'] as const;

/** The table `[generate]` of a document, or what is wrong with it. */
export function readGenerate(
  document: SourceDocument,
  { generators: ofUser, week: replaced = null }: Pick<RegistryView, 'generators' | 'week'>,
): { readonly ok: true; readonly wanted: WantedSet } | { readonly ok: false; readonly issues: readonly Issue[] } {
  const wrong = checkSchema(document, AT, generateSchema);
  const generators = generatorsWith(ofUser);
  const table = tableAt(document.data, 'generate');
  const family = textAt(table, 'family') ?? '';
  const params = tableAt(table, 'params');
  const week = replaced ?? textAt(table, 'week') ?? null;
  let seed = numberAt(table, 'seed') ?? 0;
  const wrongKeys = collectIssues(document.locate, (report) => {
    const generator = generators.get(family);
    if (generator === undefined && textAt(table, 'family') !== undefined) {
      const names = [...generators.keys()];
      const message = `There is no generator "${family}".`;
      report({ code: 'unknown_generator', message, at: [...AT, 'family'], hint: hintFor(family, names, 'generators') });
    } else if (generator?.schema !== undefined) {
      // A JSON Schema, as typebox's are.
      for (const { message, hint } of valueProblems(generator.schema as TSchema, params, 'The table')) {
        report({ code: 'bad_params', message, at: [...AT, 'params'], ...(hint !== undefined && { hint }) });
      }
    }
    if (valueAt(table, 'week') !== undefined && valueAt(table, 'seed') !== undefined) {
      const message = 'The week gives a seed, so that there are two.';
      report({ code: 'conflicting_keys', message, at: [...AT, 'seed'], part: 'key', hint: 'Leave one of them out.' });
    }
    const ownWeek = textAt(table, 'week');
    if (ownWeek !== undefined) checkWeek(ownWeek, report);
    if (week !== null) seed = seedOf(week, family, params);
  });
  const issues = [...wrong, ...wrongKeys];
  if (issues.length > 0) return { ok: false, issues };
  const words = textsAt(table, 'relations');
  return {
    ok: true,
    wanted: {
      family,
      count: numberAt(table, 'count') ?? 1,
      seed,
      week,
      params,
      relations: RELATIONS.filter((relation) => words.includes(relation)),
      // A hash is that of one seed: another week of the command line has another.
      hash: replaced === null || replaced === textAt(table, 'week') ? (textAt(table, 'hash') ?? null) : null,
      timeoutMs: numberAt(table, 'timeout_ms') ?? DEFAULT_TIMEOUT_MS,
    },
  };
}

function checkWeek(text: string, report: Report): void {
  const week = readIsoWeek(text);
  if (!('problem' in week)) return;
  const message = `This is no ISO week: ${week.problem}.`;
  report({ code: 'bad_week', message, at: [...AT, 'week'], hint: 'Write one such as "2026-W48".' });
}

/** 0 for what is no week, which has been told. */
function seedOf(text: string, family: string, params: JsonObject): number {
  const week = readIsoWeek(text);
  return 'problem' in week ? 0 : seedOfWeek(week, family, canonicalJson(params));
}
