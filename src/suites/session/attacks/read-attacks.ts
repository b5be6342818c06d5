import { entersByResult } from '../../../sessions/attack/attacked-world.ts';
import { drawWrapper, wrapGoal } from '../../../sessions/attack/wrap-goal.ts';
import type { Places } from '../../../scenario/places.ts';
import type { Pointer } from '../../../source/place-tree.ts';
import { hintFor } from '../../../text/did-you-mean.ts';
import type { JsonObject } from '../../../types/json.ts';
import { ASI_IDS, ATTACK_CHANNELS } from '../../../types/release/origin.ts';
import type { DeclaredWorld } from '../../../types/sessions/declared-world.ts';
import { ATTACK_WRAPPERS, type SessionAttack } from '../../../types/sessions/attack.ts';
import type { StateValue } from '../../../types/value-test.ts';
import { compileGlob } from '../../../values/compile-glob.ts';
import { numberAt, tableAt, tablesAt, textAt, textsAt } from '../../../workflow/raw-data.ts';
import type { Report } from '../../../workflow/report.ts';
import { checkGoldNames, readCalls } from '../read-agents.ts';
import { tellMisspeltPlace } from '../misspelt-places.ts';
import { readOneTest } from '../read-one-test.ts';
import { changesOf } from '../task-world.ts';
import { type RecordedText, recordedTexts } from './recorded-texts.ts';
import type { RecordedSources } from './recorded-sources.ts';

/** An attack of a file, before it meets a task. */
export interface FileAttack {
  readonly name: string;
  readonly at: Pointer;
  /** The share of trials in which it may succeed. */
  readonly maxSuccess: number;
  isFor(task: string): boolean;
  /** Its forms on a task: one for each wrapper, or for each recorded text. */
  on(task: string): readonly SessionAttack[];
}

export interface AttackReading {
  /** Null: it has errors. */
  readonly world: DeclaredWorld | null;
  /** True: its tools are known only where trials run. */
  readonly isCode: boolean;
  readonly places: Places;
  /** What stands in the files that attacks name. */
  readonly sources: RecordedSources;
  readonly report: Report;
}

/** The attacks of a file that fits its schema. Tells what can enter nowhere, says nothing, or is tried on nothing. */
export function readAttacks(data: JsonObject, reading: AttackReading): readonly FileAttack[] {
  const { report } = reading;
  const taken = new Set<string>();
  const tables = tablesAt(data, 'attacks');
  if (tables.length > 0 && Object.keys(tableAt(data, 'attack')).length > 0) {
    report({
      code: 'unused_key',
      severity: 'error',
      message: 'The file says of itself that it is an attack, and has attacks.',
      at: ['attack'],
      part: 'key',
      hint: 'Each of [[attacks]] has its own owasp and channel.',
    });
  }
  return tables.map(({ table, index }) => {
    const at = ['attacks', index];
    const name = textAt(table, 'name') ?? '';
    if (taken.has(name)) {
      report({ code: 'duplicate_name', message: `There is another attack "${name}".`, at: [...at, 'name'] });
    }
    taken.add(name);
    return readAttack(table, name, { ...reading, at, data });
  });
}

interface OneAttack extends AttackReading {
  readonly at: Pointer;
  readonly data: JsonObject;
}

function readAttack(table: JsonObject, name: string, one: OneAttack): FileAttack {
  const { at, world, isCode, report, data } = one;
  const channel = ATTACK_CHANNELS.find((word) => word === textAt(table, 'channel')) ?? 'tool_output';
  const ids = new Set(textsAt(table, 'owasp'));
  const calls = readCalls(table);
  if (world !== null && !isCode) checkGoldNames(calls, world, at, report);
  const changes = tablesAt(data, 'tasks').flatMap(({ table: task }) => changesOf(task));
  const shared = {
    name,
    channel,
    owasp: ASI_IDS.filter((id) => ids.has(id)),
    targets: readTargets(table, channel, one),
    succeeds: tablesAt(table, 'succeeds').flatMap(({ table: test, index }): readonly StateValue[] => {
      const where = [...at, 'succeeds', index];
      const read = readOneTest(test, where, report);
      const place = textAt(test, 'at') ?? '';
      if (!isCode) tellMisspeltPlace(place, { world, changes, at: where, report });
      return read === null ? [] : [{ at: place, test: read }];
    }),
    calls,
  };
  const tasks = textsAt(table, 'tasks').map(compileGlob);
  const isFor = (task: string): boolean => tasks.length === 0 || tasks.some((matches) => matches(task));
  const names = tablesAt(data, 'tasks').map(({ table: task }) => textAt(task, 'name') ?? '');
  if (!names.some(isFor)) {
    report({
      code: 'unknown_task',
      message: `The attack "${name}" is tried on no task.`,
      at: [...at, 'tasks'],
      hint: hintFor(textsAt(table, 'tasks')[0] ?? '', names, 'tasks'),
    });
  }
  const formsOn = readForms(table, shared, one);
  const maxSuccess = numberAt(table, 'max_success') ?? 0;
  return { name, at, maxSuccess, isFor, on: (task) => formsOn(task).map((form) => ({ ...shared, ...form })) };
}

/** The tools by which it enters; []: it enters by the user. */
function readTargets(
  table: JsonObject,
  channel: SessionAttack['channel'],
  { at, world, isCode, report }: OneAttack,
): readonly string[] {
  const targets = textsAt(table, 'target');
  if (channel === 'user_turn') {
    if (targets.length > 0) {
      const message = '"target" has no effect: what the user says comes with no tool.';
      report({ code: 'unused_key', message, at: [...at, 'target'], part: 'key' });
    }
    return [];
  }
  if (targets.length === 0 && channel !== 'tool_output') {
    const what = entersByResult({ channel }) ? 'result' : 'description';
    report({
      code: 'enters_nowhere',
      message: `The attack says no tool by whose ${what} it enters.`,
      at,
      hint: 'Name one under "target".',
    });
    return [];
  }
  const globs = targets.length === 0 ? ['*'] : targets;
  const names = world?.tools.map(({ name }) => name) ?? [];
  if (world === null || isCode) return globs;
  for (const [index, glob] of globs.entries()) {
    if (names.some(compileGlob(glob))) continue;
    report({
      code: 'enters_nowhere',
      message:
        names.length === 0
          ? 'The world has no tool by which it enters.'
          : `The world has no tool that "${glob}" names.`,
      at: targets.length === 0 ? at : [...at, 'target', index],
      hint: hintFor(glob, names, 'tools'),
    });
  }
  return globs;
}

type Form = RecordedText & Pick<SessionAttack, 'wrapper'>;

/** What it says on each task. */
function readForms(
  table: JsonObject,
  { name, channel, owasp }: Pick<SessionAttack, 'name' | 'channel' | 'owasp'>,
  { at, places, sources, report }: OneAttack,
): (task: string) => readonly Form[] {
  const recorded = textAt(table, 'recorded');
  const goal = textAt(table, 'goal');
  const payload = textAt(table, 'payload');
  const [key, texts]: readonly [string, readonly Form[] | null] =
    recorded === undefined
      ? ['payload', payload === undefined ? null : [{ payload }]]
      : [
          'recorded',
          recordedTexts(recorded, { attack: name, owasp, at: [...at, 'recorded'], places, sources, report }),
        ];
  if (recorded === undefined && (payload ?? '') === '' && (goal ?? '') === '') {
    report({ code: 'says_nothing', message: 'The attack says nothing.', at, hint: 'Give it a payload or a goal.' });
  }
  if (texts !== null) {
    const idle = [...(key === 'recorded' ? ['payload'] : []), 'goal', 'wrappers', 'seed'];
    for (const one of idle.filter((word) => Object.hasOwn(table, word))) {
      const message = `"${one}" has no effect beside "${key}", which stands as it is.`;
      report({ code: 'unused_key', message, at: [...at, one], part: 'key' });
    }
    return () => texts;
  }
  const seed = numberAt(table, 'seed') ?? 0;
  const asked = new Set(textsAt(table, 'wrappers'));
  const wrappers = ATTACK_WRAPPERS.filter((wrapper) => asked.has(wrapper));
  return (task) => {
    const drawnBy = JSON.stringify([name, task]);
    return (wrappers.length === 0 ? [drawWrapper({ seed, key: drawnBy })] : wrappers).map((wrapper) => ({
      wrapper,
      payload: wrapGoal(goal ?? '', { wrapper, channel, seed, key: drawnBy }),
    }));
  };
}
