import { RecordedFiles } from '../../effects/recorded-files.ts';
import { EXACT_ARGUMENTS, isOrderOnly, matchesTrajectory, type TrajectoryCall } from '../../checks/match-trajectory.ts';
import type { ImporterType } from '../../plugin/importer-type.ts';
import { RecordingRunner } from '../../trial/recording/recording-runner.ts';
import type { TrialRecord } from '../../types/record.ts';
import type { RecordingFacts, RecordingSubject } from '../../types/recording.ts';
import type { Scenario } from '../../types/scenario.ts';
import type { AuditedTask, TrivialSubject } from '../../types/audit/set-audit.ts';
import { compileGlob } from '../../values/compile-glob.ts';
import { textOf } from '../../values/message-text.ts';
import { digestOf } from '../../records/plan-digest.ts';
import { writeJson } from '../../values/exact-json.ts';
import { byCodePoint } from '../../values/json-text.ts';
import { REFUSAL } from './trivial-scenario.ts';

/** A task, and what is the same of two tasks that are one; null: nothing that could tell. */
export interface FoundTask {
  readonly task: AuditedTask;
  readonly content: string | null;
}

export interface RecordedTools {
  readonly importer: ImporterType;
  /** Absolute; names of files are relative to it. */
  readonly root: string;
  readonly reads: readonly string[];
  readonly step: () => void | Promise<void>;
}

/** What is known of one task from its runs so far. */
interface TaskFacts {
  readonly gold: readonly TrajectoryCall[] | null;
  readonly texts: readonly string[];
  readonly instruction: string | null;
  echo: string;
  followedAndPassed: number;
  followedAndFailed: number;
  orderPassed: number;
  orderFailed: number;
}

/**
 * Audits the tasks behind recorded runs. Nobody can be asked again, so a trivial subject passes a task on which there is
 * nothing to do and nothing to say that it does not say; and gold answers pass a task whose gold calls some run made, if all
 * such runs passed. Holds one task at a time in memory for each task, not its runs.
 */
export async function auditRecorded(
  scenario: Scenario<RecordingSubject>,
  { importer, root, reads, step }: RecordedTools,
): Promise<readonly FoundTask[]> {
  const { subject } = scenario;
  const all = subject.sources.flatMap(({ files }) => files);
  const files = new RecordedFiles(root, all);
  const runner = new RecordingRunner({ importer, subject, files, needsVerdict: true });
  const tests = reads.map((glob) => compileGlob(glob));
  const isReading = (name: string): boolean => tests.some((fits) => fits(name));
  const tasks = new Map<string, TaskFacts>();
  try {
    for (let trial = 0; trial < scenario.trials; trial++) {
      const record = runner.read(trial);
      if (record.recording !== undefined) addRun(tasks, { record, facts: record.recording, isReading });
      await step();
    }
  } finally {
    files.close();
  }
  return [...tasks].sort(([a], [b]) => byCodePoint(a, b)).map(([name, facts]) => found(name, facts, scenario));
}

interface AddedRun {
  readonly record: TrialRecord;
  readonly facts: RecordingFacts;
  readonly isReading: (name: string) => boolean;
}

function addRun(tasks: Map<string, TaskFacts>, { record, facts, isReading }: AddedRun): void {
  const task = tasks.get(facts.task) ?? newTask(facts, isReading);
  tasks.set(facts.task, task);
  const { ending, calls, claimed, turns } = record;
  task.echo ||=
    turns
      .find(({ role }) => role === 'user')
      ?.parts.map((part) => textOf([part]))
      .join('') ?? '';
  // A run that was stopped may have been judged before its end, or by nobody.
  if (task.gold === null || calls === null || ending.status !== 'completed' || claimed === null) return;
  const writes = calls
    .filter(({ problem, denied, port, names, result }) => {
      const isRefused = typeof result === 'string' && result.startsWith('Error');
      return port === 'tool' && problem === null && !denied && !isRefused && !isReading(names[0] ?? '');
    })
    .map(({ names, args }) => ({ name: names[0] ?? '', args }));
  const isPassed = claimed.verdict === 'pass';
  if (isOrderOnly(writes, task.gold)) task[isPassed ? 'orderPassed' : 'orderFailed']++;
  const said = turns.flatMap(({ role, parts }) => (role === 'assistant' ? [textOf(parts)] : [])).join('\n');
  const follows = matchesTrajectory(writes, task.gold, { ...EXACT_ARGUMENTS, match: 'strict' });
  if (follows && saysAll(said, task.texts)) task[isPassed ? 'followedAndPassed' : 'followedAndFailed']++;
}

function newTask({ gold, goldTexts, extra }: RecordingFacts, isReading: AddedRun['isReading']): TaskFacts {
  const instruction = extra?.['instruction'];
  return {
    gold: gold?.filter(({ name }) => !isReading(name)) ?? null,
    texts: goldTexts ?? [],
    instruction: typeof instruction === 'string' ? instruction : null,
    echo: '',
    followedAndPassed: 0,
    followedAndFailed: 0,
    orderPassed: 0,
    orderFailed: 0,
  };
}

/** As benchmarks look for numbers: case and the commas of thousands do not matter. */
function saysAll(said: string, texts: readonly string[]): boolean {
  const plain = said.toLowerCase().replaceAll(',', '');
  return texts.every((text) => plain.includes(text.toLowerCase().replaceAll(',', '')));
}

function found(name: string, facts: TaskFacts, { file }: Scenario): FoundTask {
  const { gold, texts, instruction, echo, followedAndPassed, followedAndFailed, orderPassed, orderFailed } = facts;
  const says: Readonly<Record<TrivialSubject, string>> = {
    null: '',
    echo,
    refusal: REFUSAL,
    everything: texts.join('\n'),
  };
  const passedBy = (Object.keys(says) as readonly TrivialSubject[]).filter(
    (one) => gold?.length === 0 && saysAll(says[one], texts),
  );
  return {
    task: {
      name,
      file,
      kind: 'recording',
      notJudged: gold === null ? 'its source names no gold calls' : null,
      passedBy,
      gold: followedAndFailed > 0 ? 'failed' : followedAndPassed > 0 ? 'passed' : 'unknown',
      orderOnly: { passed: orderPassed, failed: orderFailed },
    },
    content: instruction === null ? null : digestOf(writeJson({ instruction, gold, texts })),
  };
}
