import { PasskError } from '../errors.ts';
import { runShort } from '../pool/run-short.ts';
import { startClock } from '../pool/start-clock.ts';
import { ThreadTurns } from '../pool/thread-turns.ts';
import { growAnswerTree } from '../trial/answer-tree.ts';
import { buildProgram } from '../trial/build-program.ts';
import { ANSWER_TREE_SCHEMA, type AnswerTree } from '../types/answer-tree.ts';
import type { RunSuiteOptions } from '../settings/options.ts';
import { cannedTurns } from '../types/subjects.ts';
import { planOne } from './plan/plan-one.ts';

/** Options of `explainScenario()`. */
export interface ExplainOptions extends Pick<RunSuiteOptions, 'cwd' | 'timeoutMs' | 'plugins' | 'week'> {
  /** The scenario's file, as it lies from `cwd`. */
  readonly file: string;
  /** Which case of a file that holds several, by its name; absent: the file holds one scenario. */
  readonly part?: string;
  /** Most leaves that are run; default 10,000. Others are left out. */
  readonly maxLeaves?: number;
}

/** Texts of variants that are kept. */
const LONGEST_TEXT = 300;

/**
 * The tree of answers of one scenario file, whatever its sampler: which answers of the model lead where, and how likely.
 * Rejects as `runSuite` does, and where answers alone do not decide what happens.
 */
export async function explainScenario({
  file,
  part,
  maxLeaves = 10_000,
  ...runOptions
}: ExplainOptions): Promise<AnswerTree> {
  if (!Number.isInteger(maxLeaves) || maxLeaves < 1) {
    throw new PasskError('USAGE', `\`maxLeaves\` must be a whole number from 1, got ${maxLeaves}.`);
  }
  const { planned, plugins } = await planOne(file, runOptions, {
    sampler: 'exhaustive',
    ...(part !== undefined && { part }),
  });
  const { scenario } = planned;
  if (planned.userCode) {
    throw new PasskError('PLAN', `Scenario "${scenario.name}" runs code of plug-ins, which is not explained.`, {
      hint: 'passk run --sampler exhaustive enumerates it in a worker.',
    });
  }
  const program = await buildProgram(planned, { plugins, callHost: null, startClock, effects: null });
  const turns = new ThreadTurns();
  const tree = await growAnswerTree(program.leaves(), program.info, {
    most: maxLeaves,
    runLeaf: async (run) => {
      if (!isShort(run)) throw takesTooLong(scenario.name);
      if (turns.isOver()) await turns.next();
    },
    textOf: (turn, variant) =>
      cannedTurns(scenario.subject)[turn]?.variants[variant]?.content.slice(0, LONGEST_TEXT) ?? '',
  });
  const { leaves, complete, passRate, parts } = tree;
  return { schema: ANSWER_TREE_SCHEMA, name: scenario.name, file: scenario.file, leaves, complete, passRate, parts };
}

function isShort(run: () => void): boolean {
  const ran = runShort(() => {
    run();
    return true;
  });
  return ran === true;
}

function takesTooLong(name: string): PasskError {
  return new PasskError('PLAN', `Scenario "${name}" has a trial that takes too long to be explained.`, {
    hint: 'passk run --sampler exhaustive enumerates it in a worker.',
  });
}
