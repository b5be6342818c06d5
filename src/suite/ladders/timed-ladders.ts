import type { SessionSpan } from '../../host/session-span.ts';
import { plateauOf } from '../../stats/ladder.ts';
import type { TimedLadder } from '../../types/ladders/ladder.ts';
import type { ScenarioPlan } from '../../types/plan.ts';
import { isSampled, type ScenarioReport } from '../../types/reports/scenario-report.ts';
import { groupBy } from '../../values/group-by.ts';

/** How much faster a higher rung must be to count as such, since clocks are not the same twice. */
const TOLERANCE = 0.2;

type TimedRung = TimedLadder['rungs'][number];

interface Rung {
  readonly ladder: string;
  readonly file: string;
  readonly rung: number;
  /** Null: no trial passed, or nothing was answered, so that how long it took says nothing. */
  readonly timed: TimedRung | null;
}

/** What the clock said of ladders on which agents are asked more and more at a time, in plan order. */
export function timedLadders(
  plans: readonly ScenarioPlan[],
  { reports, spans }: { readonly reports: readonly ScenarioReport[]; readonly spans: ReadonlyMap<number, SessionSpan> },
): readonly TimedLadder[] {
  if (spans.size === 0) return [];
  const byName = new Map(reports.map((report) => [report.name, report]));
  const rungs = plans.flatMap(({ index, scenario: { name, file, ladder } }): readonly Rung[] => {
    const span = spans.get(index);
    if (ladder === undefined || span === undefined) return [];
    const { of, rung } = ladder;
    return [{ ladder: of, file, rung, timed: timedRung(rung, byName.get(name), span) }];
  });
  return [...groupBy(rungs, ({ ladder, file }) => JSON.stringify([file, ladder])).values()].flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    const { ladder, file } = first;
    const values = own.map(({ rung, timed }) => ({ rung, value: timed?.sessionsPerSecond ?? null }));
    const timed = own.flatMap((one) => one.timed ?? []);
    return [{ ladder, file, rungs: timed, plateau: plateauOf(values, TOLERANCE) }];
  });
}

function timedRung(rung: number, report: ScenarioReport | undefined, span: SessionSpan): TimedRung | null {
  const { durationMs, sessions, mostAtOnce } = span;
  if (report === undefined || !isSampled(report) || report.passRate === 0) return null;
  if (durationMs === null || durationMs <= 0) return null;
  return {
    rung,
    scenario: report.name,
    sessions,
    durationMs,
    sessionsPerSecond: (1000 * sessions) / durationMs,
    mostAtOnce,
  };
}
