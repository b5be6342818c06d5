import { ATTACK } from '../../checks/attack-checks.ts';
import { nameChecks } from '../../checks/name-checks.ts';
import { PasskError } from '../../errors.ts';
import { checkCapabilities } from '../../scenario/check-keys.ts';
import type { Places } from '../../scenario/places.ts';
import { withPersona } from '../../sessions/user/with-persona.ts';
import type { Pointer } from '../../source/place-tree.ts';
import { hintFor } from '../../text/did-you-mean.ts';
import type { JsonObject } from '../../types/json.ts';
import type { Policy } from '../../types/policy.ts';
import type { Scenario } from '../../types/scenario.ts';
import type { Expected } from '../../types/scenarios/expected.ts';
import type { SessionLimits, SessionSubject } from '../../types/session.ts';
import type { DeclaredWorld } from '../../types/sessions/declared-world.ts';
import type { Persona } from '../../types/sessions/persona.ts';
import { numberAt, tableAt, textAt, textsAt } from '../../workflow/raw-data.ts';
import type { Report } from '../../workflow/report.ts';
import type { Mutations } from '../mutations/read-mutations.ts';
import type { Reading } from '../contract/reading.ts';
import { attacksOn, checkObeys, crossScenario, isTooMuch } from './attacks/cross-attacks.ts';
import type { FileAttack } from './attacks/read-attacks.ts';
import { readAssertions } from './read-assertions.ts';
import { mutationsOf } from './mutated-agents.ts';
import { checkTokens, type FileAgents, type NamedAgent, readAgents } from './read-agents.ts';
import { readGoals } from './read-goals.ts';
import type { Personas } from './read-personas.ts';
import { readTaskExpected } from './read-task-expected.ts';
import { readUser } from './read-user.ts';
import type { WrongParts } from './wrong-parts.ts';

/** Stands in where the world has errors, so that the file is not run, and for a module until it is loaded. */
const NO_WORLD: DeclaredWorld = { state: {}, tools: [] };
export const DEFAULT_TIMEOUT_MS = 30_000;
/** Of sessions with an agent outside or a user's model, each of whose calls has a limit of its own. */
const OUTSIDE_TIMEOUT_MS = 300_000;

/** What a file says of all its tasks. */
export interface Header extends Omit<Scenario<SessionSubject>, 'subject' | 'timeoutMs'> {
  readonly limits: SessionLimits;
  /** Share of trials that a model that plays the user may spoil. */
  readonly mostFailures: number;
  /** Null: the file does not say. */
  readonly timeoutMs: number | null;
}

export interface TaskParts extends FileAgents {
  readonly at: Pointer;
  readonly header: Header;
  readonly world: DeclaredWorld | null;
  /** The code that the world is; {}: none. */
  readonly coded: Pick<SessionSubject, 'worldCode'>;
  /** Null: every tool may be called. */
  readonly policy: Policy | null;
  readonly personas: Personas;
  readonly mutations: Mutations;
  readonly attacks: readonly FileAttack[];
  readonly places: Places;
  readonly reading: Reading;
  readonly wrong: WrongParts;
}

/** A task as scenarios: one for each agent that is tried on it, each persona, and each mutation. */
export function readTask(
  task: JsonObject,
  { at, header, world, coded, policy, personas, mutations, attacks, places, reading, wrong, ...fileAgents }: TaskParts,
): readonly Scenario<SessionSubject>[] {
  const { report } = reading;
  const { limits, mostFailures, ...shared } = header;
  const user = readUser(tableAt(task, 'user'), [...at, 'user'], { report, mostFailures });
  const hasGold = !wrong.has([...at, 'gold']);
  const goldWorld = hasGold && world !== null ? { world, policy } : null;
  const { expected, gold } = readTaskExpected(task, { at, world: goldWorld, places, reading });
  checkCapabilities(task, at, report);
  const goldTerms = termsOf(expected);
  const namesChecks = hasGold && !wrong.has([...at, 'expected']);
  const goals = readGoals(task, { at, world, report });
  const assertions = readAssertions(task, { at, world, report });
  const agents = readAgents(task, fileAgents, at, report);
  if (limits.tokens !== undefined) checkTokens(agents, report);
  const description = textAt(task, 'description');
  if (namesChecks) for (const named of agents) checkControl(named, expected, report);
  const tried = agents.flatMap((named) =>
    personas
      .of(user.kind === 'model' ? 'model' : 'script')
      .flatMap((persona) => mutationsOf(named, mutations).map((mutation) => ({ named, persona, mutation }))),
  );
  const taskName = textAt(task, 'name') ?? '';
  const tryable = coded.worldCode === undefined && hasGold ? world : null;
  const attacked = attacksOn({ name: taskName, world: tryable, gold: expected.state?.gold, report }, attacks);
  checkObeys(agents, { attacks, attacked, report });
  if (isTooMuch(tried.length, { attacked, at, report })) return [];
  return tried.flatMap(({ named, persona, mutation }) => {
    const { axes } = persona;
    const name = nameOf(header.name, named, {
      task: at.length === 0 ? null : taskName,
      isOne: agents.length === 1,
      persona,
    });
    // An agent that falls for attacks is not wrong where there is none.
    const fails = failsOf(named);
    const scenario: Scenario<SessionSubject> = {
      ...shared,
      name: mutation === null ? name : `${name} · ${mutation.type}`,
      ...(at.length > 0 && { inFile: at }),
      ...(description !== undefined && { description }),
      tags: [
        ...new Set([
          ...shared.tags,
          ...textsAt(task, 'tags'),
          ...axes.map(({ axis, value }) => `${axis}:${value}`),
          ...(mutation === null ? [] : [`mutation:${mutation.type}`]),
        ]),
      ],
      ...(axes.length > 0 && { axes }),
      ...(mutation !== null && { mutation: { type: mutation.type, of: name } }),
      capabilities: [...new Set([...shared.capabilities, ...textsAt(task, 'capabilities')])],
      trials: numberAt(task, 'trials') ?? shared.trials,
      minPassRate:
        (mutation === null ? null : mutations.minPassRate) ?? numberAt(task, 'min_pass_rate') ?? shared.minPassRate,
      timeoutMs:
        shared.timeoutMs ??
        (named.agent.kind === 'outside' || named.agent.kind === 'model' || user.kind === 'model'
          ? OUTSIDE_TIMEOUT_MS
          : DEFAULT_TIMEOUT_MS),
      subject: {
        kind: 'session',
        world: world ?? NO_WORLD,
        ...coded,
        user: axes.length === 0 ? user : withPersona(user, persona),
        agent: named.agent,
        gold,
        limits,
        ...goldTerms,
        ...(policy !== null && { policy }),
        ...(goals.length > 0 && { goals }),
        ...(assertions.length > 0 && { assertions }),
        ...(mutation !== null && { mutation }),
      },
      expected: fails.length === 0 ? expected : { ...expected, fails },
    };
    // What the user says is either mutated or as the attacker has it.
    if (attacks.length === 0 || mutation !== null) return [scenario];
    return crossScenario(scenario, attacked, { task: taskName, named });
  });
}

/** How the calls of sessions are compared with gold ones, where the task says so. */
function termsOf({ gold }: Expected): Pick<SessionSubject, 'goldTerms'> {
  if (gold === undefined) return {};
  const { counts: _, ...goldTerms } = gold;
  return { goldTerms };
}

/** The agent is named where several are tried, and the persona where there are any. */
function nameOf(
  file: string,
  { name }: NamedAgent,
  { task, isOne, persona }: { readonly task: string | null; readonly isOne: boolean; readonly persona: Persona },
): string {
  const labels = persona.axes.map(({ axis, value }) => (axis === 'persona' ? value : `${axis} ${value}`));
  return [
    task === null ? file : `${file}: ${task}`,
    ...(isOne ? [] : [name]),
    ...(labels.length === 0 ? [] : [labels.join(', ')]),
  ].join(' · ');
}

/** The checks that a control names must be there. */
function checkControl(named: NamedAgent, expected: Expected, report: Report): void {
  const { fails, at } = named;
  if (fails === null) return;
  const names = namesOfChecks(expected);
  if (names === null) return;
  const checks = failsOf(named);
  for (const [index, fail] of fails.entries()) {
    if (names.includes(fail) || !checks.includes(fail)) continue;
    report({
      code: 'unknown_check',
      message: `The task has no check ${JSON.stringify(fail)} that could fail.`,
      at: [...at, 'fails', index],
      hint: hintFor(fail, names, 'checks'),
    });
  }
}

/** The checks of the task itself that an agent must fail; []: none. */
function failsOf({ agent, fails }: NamedAgent): readonly string[] {
  const canFall = agent.kind === 'canned' && agent.obeys !== undefined;
  return (fails ?? []).filter((name) => !canFall || name !== ATTACK);
}

/** Null: one of them cannot be compiled, which has been told. */
function namesOfChecks(expected: Expected): readonly string[] | null {
  try {
    return nameChecks(expected).map(({ name }) => name);
  } catch (error) {
    if (error instanceof PasskError) return null;
    throw error;
  }
}
