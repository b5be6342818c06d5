import { isJudged } from '../../types/judges/named-judges.ts';
import { judgingModules } from '../../types/scenarios/judging-code.ts';
import type { Scenario, Subject, Turn, Variant, WorkflowSubject } from '../../types/scenario.ts';
import { nameAsPattern } from '../../suites/session/read-user.ts';
import type { AgentVariant, CannedAgent, SessionLimits, SessionSubject } from '../../types/session.ts';
import type { PersonaCard, ScriptedUser } from '../../types/sessions/session-user.ts';
import type { AuditedTask, TrivialSubject } from '../../types/audit/set-audit.ts';
import { cannedTurns, worldModuleOf } from '../../types/subjects.ts';
import type { Json } from '../../types/json.ts';
import { mapTexts } from '../../values/map-texts.ts';

export const REFUSAL = "I'm sorry, but I can't help with that.";

/** How trivial subjects stand in for one kind of subject. */
interface StandIn<S extends Subject> {
  /** What a task is that this kind is tried on. */
  readonly task: AuditedTask['kind'];
  /** Why none can; null: one can. `runs`: code and programs of files may be run. */
  whyNot(scenario: Scenario<S>, runs: boolean): string | null;
  /** What takes its place. `everything`: every text that the scenario knows. */
  trivial(subject: S, says: TrivialSubject, everything: string): Subject;
  /** The scenario with its gold answers; null: it has none. */
  gold(scenario: Scenario<S>): Scenario | null;
}

/** The other kinds cannot be answered for. */
const STAND_INS: { readonly [K in Subject['kind']]: StandIn<Extract<Subject, { readonly kind: K }>> | null } = {
  workflow: {
    task: 'workflow',
    whyNot({ subject, faults }) {
      if (faults.chaos !== undefined) return CHAOS;
      if (subject.dryRun === true) return 'it is a dry run';
      return subject.turns.length === 0 ? 'it asks no model' : null;
    },
    trivial: trivialWorkflow,
    // It is right as it is written.
    gold: (scenario) => scenario,
  },
  session: { task: 'session', whyNot: whyNotPlayed, trivial: trivialSession, gold: goldSession },
  agent: {
    task: 'agent',
    whyNot: ({ faults }) => (faults.chaos === undefined ? null : CHAOS),
    trivial: ({ prompts }, says, everything) => ({
      kind: 'answered',
      turns: prompts.map((prompt) => ({ prompt, answer: says === 'echo' ? prompt : wordsOf(says, everything) })),
    }),
    gold: () => null,
  },
  model: null,
  recording: null,
  answered: null,
  plugin: null,
};

const CHAOS = 'chaos is declared around it';

function standInOf({ kind }: Subject): StandIn<Subject> | null {
  return STAND_INS[kind];
}

/** What a task of the scenario is. */
export function kindOfTask({ subject }: Scenario): AuditedTask['kind'] {
  return standInOf(subject)?.task ?? 'agent';
}

/**
 * Why no trivial subject can be put in place of what a scenario tries; null: one can. `runs`: code and programs of files may
 * be run.
 */
export function whyNotTrivial(scenario: Scenario, runs: boolean): string | null {
  if (isJudged(scenario.expected)) return 'a model judges it';
  const standIn = standInOf(scenario.subject);
  return standIn === null ? 'what it tries cannot be answered for' : standIn.whyNot(scenario, runs);
}

/** The scenario with a trivial subject in place of its agent, or of the models of its workflow. Its rules stay. */
export function trivialScenario(scenario: Scenario, says: TrivialSubject): Scenario {
  const { subject, name } = scenario;
  const everything = says === 'everything' ? textsOf(scenario) : '';
  const trivial = standInOf(subject)?.trivial(subject, says, everything) ?? subject;
  return { ...scenario, name: `${name} · ${says}`, subject: trivial };
}

/**
 * The scenario with its gold answers: a workflow as it is written, an agent that makes the gold calls of a session. Null: it has
 * none. What an agent should say beside its calls stands in no file, so that only the rest is judged.
 */
export function goldScenario(scenario: Scenario): Scenario | null {
  return standInOf(scenario.subject)?.gold(scenario) ?? null;
}

function whyNotPlayed({ subject, expected }: Scenario<SessionSubject>, runs: boolean): string | null {
  if (runs) return null;
  if (worldModuleOf(subject) !== null) return 'its world is a module, which --allow-run runs';
  if (judgingModules(expected).length > 0) return 'a module judges it, which --allow-run runs';
  return expected.commands === undefined ? null : 'a program judges it, which --allow-run runs';
}

function trivialSession(subject: SessionSubject, says: TrivialSubject, everything: string): SessionSubject {
  return {
    ...subject,
    user: scriptedUser(subject.user),
    agent: trivialAgent(says, everything),
    limits: withoutTokens(subject.limits),
  };
}

/** Nobody is asked: a card is followed as a script would be. */
function scriptedUser(user: SessionSubject['user']): ScriptedUser {
  return user.kind === 'model' ? scriptOf(user.card) : user;
}

/** What a subject says whatever it is asked; '' of one that repeats what it hears. */
function wordsOf(says: TrivialSubject, everything: string): string {
  return { null: '', echo: '', refusal: REFUSAL, everything }[says];
}

function trivialWorkflow(subject: WorkflowSubject, says: TrivialSubject, everything: string): WorkflowSubject {
  const variant: Variant = {
    content: wordsOf(says, everything),
    promptTokens: 0,
    completionTokens: 0,
    weight: 1,
    ...(says === 'echo' && { echoes: true }),
  };
  return { ...subject, turns: subject.turns.map((turn): Turn => ({ ...turn, variants: [variant] })) };
}

/** An agent that calls no tool. */
function trivialAgent(says: TrivialSubject, everything: string): CannedAgent {
  const words = wordsOf(says, everything);
  const variant: AgentVariant = { weight: 1, calls: [], says: words, ...(says === 'echo' && { echoes: true }) };
  return { kind: 'canned', turns: [{ repeat: true, variants: [variant] }] };
}

function goldSession(scenario: Scenario<SessionSubject>): Scenario | null {
  const { subject, name, expected } = scenario;
  if (subject.gold === null) return null;
  const { says: _, invariants: __, ...rest } = expected;
  const variant: AgentVariant = { weight: 1, calls: subject.gold, says: '' };
  const agent: CannedAgent = { kind: 'canned', turns: [{ repeat: false, variants: [variant] }] };
  const { assertions = [], user, limits, ...task } = subject;
  const asserted = assertions.filter(({ test }) => test.kind !== 'says' && test.kind !== 'not_says');
  // The user would wait for words: the calls are made before any.
  const silent = {
    ...scriptedUser(user),
    known: [],
    replies: [],
    changes: [],
    ends: ['^$'],
  };
  return {
    ...scenario,
    name: `${name} · gold`,
    subject: {
      ...task,
      ...(asserted.length > 0 && { assertions: asserted }),
      agent,
      user: silent,
      limits: withoutTokens(limits),
    },
    expected: { ...rest, min: {}, max: {} },
    // What is right is so on a day on which nothing goes wrong.
    faults: withoutChaos(scenario.faults),
  };
}

/** Whoever asks no model tells no tokens. */
function withoutTokens({ tokens: _, ...limits }: SessionLimits): SessionLimits {
  return limits;
}

function withoutChaos({ chaos: _, ...faults }: Scenario['faults']): Scenario['faults'] {
  return faults;
}

/** A user who says what the card of a model says that the user wants, and what is known when asked for it by its name. */
function scriptOf({ opening, goal, known }: PersonaCard): ScriptedUser {
  return {
    opening: opening ?? goal ?? '',
    goal,
    known: known.map(({ name, value }) => ({ name, value, asked: [nameAsPattern(name)], says: '{{value}}' })),
    unknown: [],
    replies: [],
    changes: [],
    ends: [],
    verbosity: 'standard',
    typos: 0,
    patience: 3,
  };
}

/** Every text that the scenario's answers and rules know, each once, one a line. */
function textsOf({ subject, expected }: Scenario): string {
  const texts = new Set<string>();
  const answers = cannedTurns(subject).map(({ variants }) => variants);
  // Plain data, as all of a scenario is.
  mapTexts([expected, answers] as unknown as Json, (text) => {
    texts.add(text);
    return text;
  });
  return [...texts].join('\n');
}
