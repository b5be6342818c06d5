import type { RecordingSubject } from '../../types/recording.ts';
import type { SampledScenario } from '../../types/reports/scenario-report.ts';
import type { ScenarioPlan } from '../../types/plan.ts';
import type { Subject } from '../../types/scenario.ts';
import type { SessionSubject } from '../../types/session.ts';
import { recordedBars } from '../recordings/recorded-bars.ts';
import { foldRecording } from '../recordings/fold-recording.ts';
import { foldCrossed } from '../sessions/fold-crossed.ts';
import type { FoldScenarioInput } from './fold-head.ts';
import { foldSession } from './fold-session.ts';

/** What the kind of a subject adds to the report of its scenario. */
export interface SubjectParts {
  /** Trials that no rate counts. Those that the harness broke are counted, where nobody says otherwise. */
  readonly leftOut: number;
  /** What its report says besides, or in place of what the report of any scenario says. */
  readonly parts: Partial<SampledScenario>;
}

type Input<S extends Subject> = Omit<FoldScenarioInput, 'plan'> & { readonly plan: ScenarioPlan<S> };

interface SubjectFold<S extends Subject = Subject> {
  fold(input: Input<S>): SubjectParts;
}

const NONE: SubjectParts = { leftOut: 0, parts: {} };
const TRIALS: SubjectFold = { fold: () => NONE };

const FOLDS: { readonly [K in Subject['kind']]: SubjectFold<Extract<Subject, { readonly kind: K }>> } = {
  workflow: TRIALS,
  agent: TRIALS,
  model: TRIALS,
  recording: { fold: recordingParts },
  session: { fold: sessionParts },
  answered: TRIALS,
  plugin: TRIALS,
};

/** What the kind of what was tried adds to a report. */
export function subjectParts(input: FoldScenarioInput): SubjectParts {
  const { fold }: SubjectFold = FOLDS[input.plan.scenario.subject.kind];
  return fold(input);
}

function sessionParts({ plan: { scenario }, info, tally, stopEarly }: Input<SessionSubject>): SubjectParts {
  if (tally.sessions === null) return NONE;
  const { subject, expected } = scenario;
  const session = foldSession(tally.sessions, { info, subject, isFixed: stopEarly === undefined });
  const { crossed } = subject;
  return {
    // Those that simulated users spoilt.
    leftOut: session.user?.leftOut ?? 0,
    parts: {
      session:
        crossed === undefined
          ? session
          : { ...session, crossed: foldCrossed({ subject: { crossed }, expected }, info, tally) },
    },
  };
}

/** Attempts at one task are alike, so that rate and pass^k are those of tasks; only k for which no task is left out count. */
function recordingParts({
  plan: { scenario },
  tally,
  gates = [],
  floor = null,
}: Input<RecordingSubject>): SubjectParts {
  const { subject, origin, name, minPassRate } = scenario;
  const { tasks, passed, failed, broken } = tally;
  // Where the user says so.
  const leftOut = subject.errors === 'exclude' ? broken : 0;
  if (tasks === null) return { leftOut, parts: {} };
  const bars = recordedBars({ name, gates, bars: [minPassRate, floor] });
  const recording = foldRecording({ passed, failed, broken, tasks }, subject, {
    bars,
    owasp: origin?.attack?.owasp ?? [],
  });
  const { rate, interval } = recording.passRate;
  return {
    leftOut,
    parts: {
      recording,
      passRate: rate,
      ...(interval !== null && { passRateInterval: interval }),
      passHatK: recording.passHatK.flatMap(({ k, value, dropped }) => (dropped === 0 ? [{ k, value }] : [])),
    },
  };
}
