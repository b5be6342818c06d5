import type { StateValue } from '../../types/value-test.ts';
import type { Places } from '../../scenario/places.ts';
import { checkJsonSchema } from '../../engine/json-schema.ts';
import { NOTHING_EXPECTED } from '../../scenario/bare-scenario.ts';
import type { Pointer } from '../../source/place-tree.ts';
import type { JsonObject } from '../../types/json.ts';
import type { Expected } from '../../types/scenarios/expected.ts';
import type { StateExpectation, ToolCall } from '../../types/session.ts';
import type { DeclaredWorld } from '../../types/sessions/declared-world.ts';
import { splitPath } from '../../values/select-path.ts';
import { listAt, numberAt, tableAt, tablesAs, tablesAt, textAt, textsAt } from '../../workflow/raw-data.ts';
import type { Report } from '../../workflow/report.ts';
import { checkPattern } from '../../scenario/check-patterns.ts';
import { checkCounts } from '../../scenario/check-keys.ts';
import { readPreference } from '../../scenario/read-expected.ts';
import { checkFaithful } from '../../checks/faithful/check-faithful.ts';
import { readFaithful } from '../../checks/faithful/read-faithful.ts';
import { readDenial } from '../../scenario/read-requests.ts';
import { readInvariants } from '../contract/read-invariants.ts';
import type { Reading } from '../contract/reading.ts';
import { carryOutGold, type GoldWorld } from './carry-out-gold.ts';
import { checkGoldNames, readCalls } from './read-agents.ts';
import { readCommandChecks } from './read-command-checks.ts';
import { readGoldTerms } from './read-gold-terms.ts';
import { readCodeChecks } from '../../scenario/files/read-code-checks.ts';
import { tellMisspeltPlace } from './misspelt-places.ts';
import { readOneTest } from './read-one-test.ts';
import { readTextTest } from './read-text-test.ts';

export interface TaskExpected {
  readonly expected: Expected;
  /** The calls that are right; null: the task names none. */
  readonly gold: readonly ToolCall[] | null;
}

/** What must hold after a trial of a task. Where the world or the gold calls have errors, `world` is null and nothing is carried out. */
export function readTaskExpected(
  task: JsonObject,
  {
    at,
    world,
    places,
    reading,
  }: { readonly at: Pointer; readonly world: GoldWorld | null; readonly places: Places; readonly reading: Reading },
): TaskExpected {
  const { report } = reading;
  const table = tableAt(task, 'expected');
  const place = [...at, 'expected'];
  const goldTable = tableAt(task, 'gold');
  const hasGold = Object.hasOwn(task, 'gold');
  const gold = hasGold ? readCalls(goldTable) : null;
  const state = readState(table, { place, world: world?.world ?? null, report });
  // A state that cannot be had is an error of the file, which stands for it: the task has the check all the same.
  const goldState = gold === null ? null : (goldStateOf(gold, { world, at: [...at, 'gold'], report }) ?? {});
  const invariants = readInvariants(table, place, reading, { named: false });
  const says = listAt(table, 'says').map((one, index) => readTextTest(one, [...place, 'says', index], report));
  const judges = [...new Set(textsAt(table, 'judges'))];
  const prefers = tablesAs(table, 'prefers', readPreference);
  const tools = world === null ? null : world.world.tools.map(({ name }) => name);
  checkFaithful(tableAt(table, 'faithful'), { at: [...place, 'faithful'], report, tools });
  const { document, plugins } = reading;
  const checks = readCodeChecks(table, { at: place, document, places, checks: plugins.checks, report });
  const others = checks.map(({ name }) => name);
  const commands = readCommandChecks(table, { at: place, others, report });
  const denials = readDenials(table, place, report);
  const terms = gold === null ? null : readGoldTerms(goldTable, gold, { at: [...at, 'gold'], report });
  const expected: Expected = {
    ...NOTHING_EXPECTED,
    status: textAt(table, 'status') ?? 'completed',
    ...(terms !== null && { gold: terms }),
    ...((goldState !== null || state.values.length > 0 || state.schema !== undefined) && {
      state: goldState === null ? state : { ...state, gold: goldState },
    }),
    ...(checks.length > 0 && { checks }),
    ...(commands.length > 0 && { commands }),
    ...(says.length > 0 && { says }),
    ...(judges.length > 0 && { judges }),
    ...(prefers.length > 0 && { prefers }),
    ...readFaithful(table),
    ...(invariants.length > 0 && { invariants: { list: invariants } }),
    ...(denials.length > 0 && { denials }),
    min: boundsOf(table, 'min'),
    max: boundsOf(table, 'max'),
  };
  // Recorded tools change no state, so that there gold calls decide only where they count.
  const isGoldSilent = gold === null || (world?.world.recorded !== undefined && terms?.counts !== true);
  // A check that cannot be read is an error of its own.
  const hasCode = [...listAt(table, 'checks'), ...listAt(table, 'commands')].length > 0;
  if (isGoldSilent && !hasCode && isNothingJudged(expected)) {
    report({
      code: 'nothing_expected',
      severity: 'warning',
      message: 'Nothing is expected of this task but that the session ends.',
      at,
      hint: `Say what is right under ${at.length === 0 ? '[gold]' : '[tasks.gold]'}, or what must hold under ${at.length === 0 ? '[expected]' : '[tasks.expected]'}.`,
    });
  }
  return { expected, gold };
}

/** Gold calls aside. */
function isNothingJudged({ state, says, invariants, denials, judges, faithful, prefers, min, max }: Expected): boolean {
  const hasBound = Object.keys(max).length > 0 || Object.values(min).some((least) => least > 0);
  const isStateFree = state === undefined || (state.values.length === 0 && isEmptyTable(state.schema));
  const lists = [says, invariants, denials, judges, prefers, faithful];
  return !hasBound && isStateFree && lists.every((list) => list === undefined);
}

function isEmptyTable(table: JsonObject = {}): boolean {
  return Object.keys(table).length === 0;
}

function boundsOf(table: JsonObject, end: 'min' | 'max'): Expected['min'] {
  const [toolCalls, policyDenials] = [numberAt(table, `${end}_tool_calls`), numberAt(table, `${end}_policy_denials`)];
  return {
    ...(toolCalls !== undefined && { toolCalls }),
    ...(policyDenials !== undefined && { policyDenials }),
  };
}

function readDenials(table: JsonObject, place: Pointer, report: Report): NonNullable<Expected['denials']> {
  checkCounts(table, 'denials', place, report);
  for (const { table: denial, index } of tablesAt(table, 'denials')) {
    const pattern = textAt(denial, 'matches');
    if (pattern !== undefined) checkPattern(pattern, [...place, 'denials', index, 'matches'], report);
  }
  return tablesAs(table, 'denials', readDenial);
}

function goldStateOf(
  gold: readonly ToolCall[],
  { world, at, report }: { readonly world: GoldWorld | null; readonly at: Pointer; readonly report: Report },
): JsonObject | null {
  if (world === null) return null;
  let isSound = true;
  checkGoldNames(gold, world.world, at, (found) => {
    isSound = false;
    report(found);
  });
  return isSound ? carryOutGold(gold, world, at, report) : null;
}

function readState(
  table: JsonObject,
  { place, world, report }: { readonly place: Pointer; readonly world: DeclaredWorld | null; readonly report: Report },
): StateExpectation {
  const values = tablesAt(table, 'state').flatMap(({ table: one, index }): readonly StateValue[] => {
    const at = [...place, 'state', index];
    const test = readOneTest(one, at, report);
    const where = textAt(one, 'at') ?? '';
    tellMisspeltPlace(where, { world, at, report });
    return test === null ? [] : [{ at: where, test }];
  });
  const hasSchema = Object.hasOwn(table, 'state_schema');
  const schema = tableAt(table, 'state_schema');
  for (const problem of hasSchema ? checkJsonSchema(schema) : []) {
    report({
      code: 'bad_json_schema',
      message: `This JSON Schema is wrong: ${problem}.`,
      at: [...place, 'state_schema'],
      hint: 'It must be enforceable as written.',
    });
  }
  return { unordered: textsAt(table, 'unordered').map(splitPath), values, ...(hasSchema && { schema }) };
}
