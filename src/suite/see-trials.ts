import { PasskError } from '../errors.ts';
import type { PartResult, SeenTrial, WantedTrial } from '../suites/suite-kind.ts';
import type { BuiltInInspector } from '../pool/inspect-built-in.ts';
import { runsInline } from '../pool/executor.ts';
import type { InspectOptions } from '../pool/inspect-in-worker.ts';
import { ThreadTurns } from '../pool/thread-turns.ts';
import { hideCredentials } from '../text/hide-credentials.ts';
import { firedFaults } from '../trial/record/fired-faults.ts';
import { workflowTurns } from '../trial/record/record-trial.ts';
import type { Issue } from '../types/issue.ts';
import type { ScenarioPlan } from '../types/plan.ts';
import type { Turn } from '../types/record.ts';
import type { FailureReport } from '../types/scenarios/failure-report.ts';
import type { TrialResult } from '../types/trial.ts';
import { isWorkflow } from '../types/subjects.ts';
import { type DefinitionsRun, openKinds } from './open-kinds.ts';

/** Trials that are run again for the sake of their answers; each is one trial more, on this thread. */
const MOST_SEEN = 200;

export interface SeenParts {
  /** The parts in the same order, with what was seen of the trials that were asked for. */
  readonly parts: readonly PartResult[];
  readonly notices: readonly Issue[];
}

/**
 * Runs those trials again that definitions are shown with, one by one, where this thread can run them, and adds what was seen
 * of them to their parts. Between two folds, this is the only step that runs anything. Rejects with `INTEGRITY` where a trial
 * no longer fails what it was counted to have failed.
 */
export async function seeTrials(run: DefinitionsRun, options: InspectOptions): Promise<SeenParts> {
  const { parts } = run;
  const opened = await openKinds(run);
  const wanted = opened.flatMap((kind) => kind.verbs.wants(kind.definitions, kind.parts));
  if (wanted.length === 0) return { parts, notices: [] };
  const inspection = await import('../pool/inspect-built-in.ts');
  const repeatable = wanted.filter(({ part }) => runsInline(part.plan));
  const trialsByPart = new Map<PartResult, SeenTrial[]>();
  const inspectors = new Map<PartResult, BuiltInInspector>();
  const turns = new ThreadTurns();
  for (const one of repeatable.slice(0, MOST_SEEN)) {
    const { part, trial } = one;
    const inspector = inspectors.get(part) ?? new inspection.BuiltInInspector(part.plan, options);
    inspectors.set(part, inspector);
    const { result, record } = await inspector.inspect(trial);
    requireCounted(one, result);
    const trialSeen: SeenTrial = { trial, findings: result.findings, fired: firedFaults(record), turns: record.turns };
    trialsByPart.set(part, [...(trialsByPart.get(part) ?? []), trialSeen]);
    if (turns.isOver()) await turns.next();
  }
  const unseen = repeatable.slice(MOST_SEEN).filter(({ evidenceOf }) => evidenceOf.length > 0).length;
  return {
    parts: parts.map((part) => ({ ...part, seen: [...(trialsByPart.get(part) ?? []), ...part.seen] })),
    notices: unseen === 0 ? [] : [unseenNotice(unseen)],
  };
}

/** A report must not show a trial as evidence of what it did not do. One that breaks shows nothing. */
function requireCounted({ part, trial, evidenceOf }: WantedTrial, { verdict, findings }: TrialResult): void {
  const missing = evidenceOf.filter((id) => !findings.some(({ check }) => check === id));
  if (verdict === 'broken' || missing.length === 0) return;
  const { name } = part.plan.scenario;
  throw new PasskError(
    'INTEGRITY',
    `Trial ${trial} of "${name}" was counted to fail ${missing.join(', ')}, and passes it now.`,
    {
      hint: 'The same trial must always end the same. Were the counts made by this very build of passk?',
    },
  );
}

/** A failing trial as it was recorded when it ran; without answers where none were recorded. */
export function recordedTrial(plan: ScenarioPlan, failure: FailureReport): SeenTrial {
  const { trial, findings, fired = [], record } = failure;
  return { trial, findings, fired, turns: record?.turns ?? tracedTurns(plan, failure) };
}

function tracedTurns({ scenario }: ScenarioPlan, { trace }: FailureReport): readonly Turn[] {
  const events = trace?.events ?? [];
  const end = events.findLast((event) => event.kind === 'end' && event.walk === '');
  if (end?.kind !== 'end' || !isWorkflow(scenario)) return [];
  return workflowTurns({ scenario, events, struck: null }, end.outcome).map((turn) => ({
    ...turn,
    parts: turn.parts.map((part) => (part.kind === 'text' ? { ...part, text: hideCredentials(part.text) } : part)),
  }));
}

function unseenNotice(count: number): Issue {
  return {
    code: 'answers_left_out',
    severity: 'warning',
    message: `${count} more disobeying trial${count === 1 ? ' is' : 's are'} shown without the answer: at most ${MOST_SEEN} are run again.`,
    hint: 'passk trace shows any of them.',
  };
}
