import type { Check } from '../../checks/check.ts';
import { type CheckTools, compileChecks } from '../../checks/compile-checks.ts';
import type { Registry } from '../../plugin/registry.ts';
import { DIRECT, MODEL_CALL, type ModelSubject } from '../../types/model-suite.ts';
import type { ModelRun } from '../../types/model-test.ts';
import type { ModelPlan } from '../../types/plan.ts';
import type { TrialRecord } from '../../types/record.ts';
import { describeProgram } from '../describe-program.ts';
import { HostRunner, type HostRunnerParts, type SecondQuestion } from '../record/host-runner.ts';
import { judgeRecord } from '../record/judge-record.ts';
import type { CompiledSubject } from '../record/record-program.ts';
import { askDirectly } from './ask-directly.ts';
import { recordModel } from './record-model.ts';

export interface ModelTools extends CheckTools, Pick<HostRunnerParts, 'callHost' | 'startClock'> {
  readonly registry: Registry;
  /** False: trials are judged elsewhere; absent: here. */
  readonly judges?: boolean;
}

function secondLook(checks: readonly Check[], subject: ModelSubject): Pick<SecondQuestion, 'isWanted' | 'record'> {
  const failures = (record: TrialRecord): string | null => {
    const { failed, findings } = judgeRecord(record, { checks, nodeIds: [] });
    return failed.length === 0 ? null : findings.map(({ message }) => message).join(' ');
  };
  return {
    isWanted: (first) => failures(first) !== null && mayDifferAlone(first, subject),
    record: (trial, value, first) =>
      recordModel(trial, value as unknown as ModelRun, subject, { message: failures(first) ?? '', facts: first.model }),
  };
}

/** Whether a question that failed beside others may end otherwise with nobody else in the way. */
function mayDifferAlone({ ending, model }: TrialRecord, { retries }: ModelSubject): boolean {
  // Another question may have ended the process, which is no failure of this one and no retry of it.
  if (retries.most === 0) return model?.died === true;
  // What is refused for good is refused alone, too; all other errors were asked again as often as they may be.
  return ending.status !== 'errored' || (model?.retried.length ?? 0) >= retries.most;
}

/** A test of a model with the validators that its answers are judged by. */
export function compileModel(
  plan: ModelPlan,
  { registry, compileSchema, checkSupport, callHost, startClock, judges = true }: ModelTools,
): CompiledSubject {
  const { subject, expected } = plan.scenario;
  const { model, test, access } = subject;
  const checks = judges
    ? compileChecks(expected, {
        nodeIds: [],
        compileSchema,
        checkSupport,
        answersInTurns: true,
        validators: registry.validators,
      })
    : [];
  const { input, stream } = test;
  const asks = (alone: boolean): Pick<HostRunnerParts, 'request' | 'ask'> => ({
    request: {
      port: 'host',
      name: MODEL_CALL,
      payload: { model, input, stream, ...(alone && { alone }) },
    },
    ask: (call, trial, signal) =>
      access.runner === DIRECT
        ? askDirectly(call, { plan, trial, signal, visit: alone ? 2 : 1 })
        : call(MODEL_CALL, { scenario: plan.index, trial, alone }, plan.traits.longestMs, signal),
  });
  return {
    info: describeProgram(plan, checks),
    checks,
    openRunner: () =>
      new HostRunner({
        plan,
        callHost,
        startClock,
        ...asks(false),
        // Made by the function that asks models, or in its words.
        record: (trial, value) => recordModel(trial, value as unknown as ModelRun, subject),
        // Of many trials the rate tells what chance is.
        ...(plan.trials === 1 && access.atOnce > 1 && { again: { ...asks(true), ...secondLook(checks, subject) } }),
      }),
    close: () => Promise.resolve(),
  };
}
