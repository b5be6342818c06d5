import { compileJsonSchema } from '../../../engine/compile-json-schema.ts';
import { attackedTools } from '../../../sessions/attack/attacked-tools.ts';
import { compileOracle } from '../../../sessions/attack/attacked-world.ts';
import { compileWorld } from '../../../sessions/world/declared-world.ts';
import type { World } from '../../../sessions/world/open-world.ts';
import { goldStateIn } from '../../../sessions/world/gold-state.ts';
import type { Pointer } from '../../../source/place-tree.ts';
import type { JsonObject } from '../../../types/json.ts';
import type { Scenario } from '../../../types/scenario.ts';
import type { Expected } from '../../../types/scenarios/expected.ts';
import type { SessionSubject } from '../../../types/session.ts';
import type { DeclaredWorld } from '../../../types/sessions/declared-world.ts';
import type { SessionAttack } from '../../../types/sessions/attack.ts';
import type { Report } from '../../../workflow/report.ts';
import type { NamedAgent } from '../read-agents.ts';
import type { FileAttack } from './read-attacks.ts';

/** An attack as it is tried on one task. */
export interface TaskAttack {
  /** As the file calls it. */
  readonly name: string;
  /** At least one. */
  readonly forms: readonly SessionAttack[];
  /** What it succeeds on at most, as a share of trials. */
  readonly maxSuccess: number;
}

export interface AttackedTask {
  readonly name: string;
  /** Null: nothing can be tried in it, because it has errors or is known only where trials run. */
  readonly world: DeclaredWorld | null;
  /** What the gold calls make of it; undefined: nobody says what is right. */
  readonly gold: JsonObject | undefined;
  readonly report: Report;
}

/**
 * The attacks on a task. Tells those that say nothing about an agent: what the attacker wants is so before anything is done, or
 * its calls do not bring it about. A task whose own gold calls do what the attacker wants is left out, with a warning.
 */
export function attacksOn(task: AttackedTask, attacks: readonly FileAttack[]): readonly TaskAttack[] {
  const compiled = task.world === null ? null : compileWorld(task.world, compileJsonSchema);
  return attacks.flatMap((attack): readonly TaskAttack[] => {
    if (!attack.isFor(task.name)) return [];
    const forms = attack.on(task.name);
    const [form] = forms;
    if (form === undefined) return [];
    if (compiled !== null && !isTelling(form, { attack, task, world: compiled })) return [];
    return [{ name: attack.name, forms, maxSuccess: attack.maxSuccess }];
  });
}

/** False: it says nothing about an agent, which is told. */
function isTelling(
  { name, succeeds, calls }: SessionAttack,
  {
    attack: { at },
    task: { name: task, gold, report },
    world,
  }: { readonly attack: FileAttack; readonly task: AttackedTask; readonly world: World },
): boolean {
  // Tests with errors have been told.
  if (succeeds.length === 0) return false;
  const isAim = compileOracle(succeeds, name, compileJsonSchema);
  if (isAim(world.open().state)) {
    report({
      code: 'succeeds_already',
      message: `What the attack "${name}" wants is so on the task "${task}" before anything is done.`,
      at: [...at, 'succeeds'],
      hint: 'Test something that the agent would have to bring about.',
    });
    return false;
  }
  const made = goldStateIn(world, calls);
  if (!made.ok) {
    report({
      code: 'attack_fails',
      message: `This call of the attack "${name}" fails on the task "${task}": ${made.reason}`,
      at: [...at, 'calls', made.call],
      hint: 'Correct it, or leave the task out under "tasks".',
    });
    return false;
  }
  if (calls.length > 0 && !isAim(made.state ?? {})) {
    report({
      code: 'attack_fails',
      message: `The calls of the attack "${name}" do not bring about what it wants on the task "${task}".`,
      at: [...at, 'calls'],
      hint: 'Correct them, or what stands under "succeeds".',
    });
    return false;
  }
  if (gold === undefined || !isAim(gold)) return true;
  report({
    code: 'task_is_attack',
    severity: 'warning',
    message: `The attack "${name}" is not tried on the task "${task}": its gold calls do what the attacker wants.`,
    at: [...at, 'name'],
    hint: 'List the tasks on which it is tried under "tasks".',
  });
  return false;
}

/** The scenario without an attack, then under each of them. */
export function crossScenario(
  scenario: Scenario<SessionSubject>,
  attacks: readonly TaskAttack[],
  { task, named }: { readonly task: string; readonly named: NamedAgent },
): readonly Scenario<SessionSubject>[] {
  const { subject } = scenario;
  const crossed = { agent: named.name, task };
  const attacked = attacks.flatMap(({ name: group, forms, maxSuccess }) =>
    forms.map((attack): Scenario<SessionSubject> => {
      const { name, channel, owasp, wrapper } = attack;
      const isControl = mustFall(named, attack);
      return {
        ...scenario,
        name: `${scenario.name} · attacked: ${name}${forms.length > 1 && wrapper !== undefined ? ` (${wrapper})` : ''}`,
        tags: [
          ...new Set([
            ...scenario.tags,
            'attacked',
            `attack:${group}`,
            `attack:${name}`,
            `channel:${channel}`,
            ...owasp,
          ]),
        ],
        // That a control fell is neither resistance nor work that was done: it shows that the attack gets through.
        origin: isControl
          ? { ...scenario.origin, suite: 'exploration' as const }
          : { ...scenario.origin, suite: 'adversarial' as const, attack: { owasp, channel } },
        // What is left of a share, without the rounding of binary fractions.
        minPassRate: maxSuccess === 0 ? null : Number((1 - maxSuccess).toFixed(12)),
        subject: {
          ...subject,
          world: { ...subject.world, tools: attackedTools(subject.world.tools, attack) },
          crossed: { ...crossed, attack },
        },
        expected: attackedExpected(scenario.expected, isControl),
      };
    }),
  );
  return [{ ...scenario, subject: { ...subject, crossed } }, ...attacked];
}

/** A trial under attack costs no judge: none of them is asked whether the task was done. */
function attackedExpected(
  { fails: _, judges: _judges, prefers: _prefers, faithful: _faithful, ...task }: Expected,
  isControl: boolean,
): Expected {
  return { ...task, attack: { mustFall: isControl } };
}

function mustFall({ fails, agent }: NamedAgent, { channel }: SessionAttack): boolean {
  return fails?.includes('attack') === true && agent.kind === 'canned' && agent.obeys?.includes(channel) === true;
}

/** Tells agents that obey what nobody says: without attacks, or attacks without calls that could be made. */
export function checkObeys(
  agents: readonly NamedAgent[],
  {
    attacks,
    attacked,
    report,
  }: { readonly attacks: readonly FileAttack[]; readonly attacked: readonly TaskAttack[]; readonly report: Report },
): void {
  for (const { agent, at } of agents) {
    if (agent.kind !== 'canned' || agent.obeys === undefined) continue;
    if (attacks.length === 0) {
      const message = '"obeys" has no effect: the file has no [[attacks]].';
      report({ code: 'unused_key', message, at: [...at, 'obeys'], part: 'key' });
    }
    const empty = attacked.find(
      ({ forms: [form] }) => form?.calls.length === 0 && agent.obeys?.includes(form.channel) === true,
    );
    if (empty === undefined) continue;
    report({
      code: 'attack_without_calls',
      message: `The attack "${empty.forms[0]?.name ?? ''}" has no calls that this agent could make.`,
      at: [...at, 'obeys'],
      hint: 'Give the attack "calls", or leave its channel out.',
    });
  }
}

/** Scenarios that a task may make with its attacks; more are hardly meant. */
const MOST_SCENARIOS = 10_000;

/** True, which is told: the attacks multiply the `tried` agents and personas beyond reason. */
export function isTooMuch(
  tried: number,
  { attacked, at, report }: { readonly attacked: readonly TaskAttack[]; readonly at: Pointer; readonly report: Report },
): boolean {
  const all = tried * attacked.reduce((sum, { forms }) => sum + forms.length, 1);
  if (attacked.length === 0 || all <= MOST_SCENARIOS) return false;
  report({
    code: 'too_many',
    message: `With its attacks the task makes ${all} scenarios; at most ${MOST_SCENARIOS} are tried.`,
    at,
    hint: 'Leave wrappers, personas or tasks of attacks out.',
  });
  return true;
}
