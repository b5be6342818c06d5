import { trailDivergence } from '../baseline/trail-divergence.ts';
import { compileChecks } from '../checks/compile-checks.ts';
import { missedTool } from '../sessions/world/recorded-world.ts';
import { sessionTrail } from '../trial/session/session-trail.ts';
import type { ShadowEnd, ShadowTask } from '../types/canary/canary-shadow.ts';
import type { TrialRecord } from '../types/record.ts';
import type { TallyRow } from '../types/rows/tally-row.ts';
import type { Scenario } from '../types/scenario.ts';
import type { SessionSubject } from '../types/session.ts';
import { textOf } from '../values/message-text.ts';
import { isReplayMiss, withoutWord } from '../values/replay-miss.ts';

/** What one request came to, in production and in the shadow. */
export interface ShadowTrial {
  readonly scenario: Scenario<SessionSubject>;
  /** What was recorded of production. */
  readonly production: TrialRecord;
  /** What the candidate did; null: the trial is broken. */
  readonly candidate: TrialRecord | null;
  readonly row: TallyRow;
}

/** How a candidate differs from production on one request. `readOnly`: tools that change nothing, whatever their files say. Pure. */
export function shadowTask(trial: ShadowTrial, readOnly: ReadonlySet<string>): ShadowTask {
  const { scenario, production, candidate } = trial;
  const about = {
    task: scenario.name,
    file: scenario.file,
    traceId: scenario.origin?.source?.traceId ?? null,
  };
  if (candidate === null) return { ...about, ...refusedTask(trial, readOnly) };
  const [was, is] = [sessionTrail(production), sessionTrail(candidate)];
  const sameCalls = was.digest === is.digest && was.made === is.made;
  return {
    ...about,
    ended: endOf(trial),
    sameAnswer: answersOf(production).join('\0') === answersOf(candidate).join('\0'),
    sameCalls,
    divergence: sameCalls ? null : trailDivergence(was, is).text.replaceAll('the baseline', 'production'),
    refused: null,
  };
}

/** What was said to the user, message by message. */
export function answersOf({ turns }: TrialRecord): readonly string[] {
  return turns.flatMap(({ role, parts }) => {
    const text = role === 'assistant' ? textOf(parts).trim() : '';
    return text === '' ? [] : [text];
  });
}

function refusedTask(
  { scenario, row: { cause } }: ShadowTrial,
  readOnly: ReadonlySet<string>,
): Omit<ShadowTask, 'task' | 'file' | 'traceId'> {
  const why = cause === null ? null : withoutWord(cause);
  const ended = { sameAnswer: null, divergence: why };
  if (cause === null || !isReplayMiss(cause)) return { ...ended, ended: 'broken', sameCalls: null, refused: null };
  const tool = missedTool(cause, scenario.subject.world.tools);
  // What a cassette of a model does not hold is no call of a tool.
  if (tool === null) return { ...ended, ended: 'replay_miss', sameCalls: null, refused: null };
  const isRead = tool.readsOnly === true || readOnly.has(tool.name);
  return { ...ended, ended: isRead ? 'replay_miss' : 'write_refused', sameCalls: false, refused: tool.name };
}

function endOf({ scenario, row }: ShadowTrial): ShadowEnd {
  if (row.verdict === 'failed') return 'failed';
  return isJudged(scenario) ? 'passed' : 'unjudged';
}

/** False: a trial that comes to its end passes, whatever the agent does, for nothing says what is right. */
function isJudged({ expected, subject }: Scenario<SessionSubject>): boolean {
  if ((subject.assertions ?? []).length > 0) return true;
  const { gold, status, state: _, ...others } = expected;
  // Gold calls that do not count are there to be read, each session asks for its end, and recorded tools change no state.
  const counted = {
    ...others,
    ...(gold?.counts === true && { gold }),
    ...(status !== undefined && status !== 'completed' && { status }),
  };
  const checks = compileChecks(counted, { nodeIds: [], compileSchema: () => () => [], answersInTurns: true });
  return checks.length > 0;
}
