import type { AnsweredSubject } from '../../types/answered-subject.ts';
import type { Scenario, Turn, Variant, WorkflowSubject } from '../../types/scenario.ts';
import type { AgentVariant, CannedAgent, SessionSubject } from '../../types/session.ts';
import type { ScriptedUser } from '../../types/sessions/session-user.ts';
import type { TrivialSubject } from '../../types/audit/set-audit.ts';
import { isWorkflow } from '../../types/subjects.ts';
import type { Json } from '../../types/json.ts';
import { mapTexts } from '../../values/map-texts.ts';

export const REFUSAL = "I'm sorry, but I can't help with that.";

/** Why no trivial subject can be put in place of what a scenario tries; null: one can. */
export function whyNotTrivial({ subject, faults }: Scenario): string | null {
  if (faults.chaos !== undefined) return 'chaos is declared around it';
  switch (subject.kind) {
    case 'workflow':
      if (subject.dryRun === true) return 'it is a dry run';
      return subject.turns.length === 0 ? 'it asks no model' : null;
    case 'session':
      return subject.user.kind === 'model' ? 'a model plays its user' : null;
    case 'agent':
      return null;
    default:
      return 'what it tries cannot be answered for';
  }
}

/** The scenario with a trivial subject in place of its agent, or of the models of its workflow. Its rules stay. */
export function trivialScenario(scenario: Scenario, says: TrivialSubject): Scenario {
  const { subject, name } = scenario;
  const renamed = { ...scenario, name: `${name} · ${says}` };
  const everything = says === 'everything' ? textsOf(scenario) : '';
  if (isWorkflow(scenario)) return { ...renamed, subject: trivialWorkflow(scenario.subject, says, everything) };
  if (subject.kind === 'session') return { ...renamed, subject: { ...subject, agent: trivialAgent(says, everything) } };
  const prompts = subject.kind === 'agent' ? subject.prompts : [];
  const answered: AnsweredSubject = {
    kind: 'answered',
    turns: prompts.map((prompt) => ({
      prompt,
      answer: says === 'echo' ? prompt : wordsOf(says, everything),
    })),
  };
  return { ...renamed, subject: answered };
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

/**
 * The scenario with its gold answers: a workflow as it is written, an agent that makes the gold calls of a session. Null: it has
 * none. What an agent should say beside its calls stands in no file, so that only the rest is judged.
 */
export function goldScenario(scenario: Scenario): Scenario | null {
  const { subject, name, expected } = scenario;
  if (isWorkflow(scenario)) return scenario;
  if (subject.kind !== 'session' || subject.gold === null) return null;
  const { says: _, invariants: __, ...rest } = expected;
  const variant: AgentVariant = { weight: 1, calls: subject.gold, says: '' };
  const agent: CannedAgent = { kind: 'canned', turns: [{ repeat: false, variants: [variant] }] };
  // The user would wait for words: the calls are made before any.
  const user = silent(subject.user);
  return {
    ...scenario,
    name: `${name} · gold`,
    subject: { ...subject, agent, user },
    expected: { ...rest, min: {}, max: {} },
  };
}

/** A user who leaves after the first message, whatever it is. */
function silent(user: SessionSubject['user']): ScriptedUser {
  if (user.kind !== 'model') return { ...user, ends: ['^$'], replies: [], changes: [] };
  const { opening, goal } = user.card;
  return {
    opening: opening ?? '',
    goal,
    known: [],
    unknown: [],
    replies: [],
    changes: [],
    ends: ['^$'],
    verbosity: 'standard',
    typos: 0,
    patience: 1,
  };
}

/** Every text that the scenario's answers and rules know, each once, one a line. */
function textsOf({ subject, expected }: Scenario): string {
  const texts = new Set<string>();
  const known = subject.kind === 'workflow' ? subject.turns.map(({ variants }) => variants) : [];
  // Plain data, as all of a scenario is.
  mapTexts([expected, known] as unknown as Json, (text) => {
    texts.add(text);
    return text;
  });
  return [...texts].join('\n');
}
