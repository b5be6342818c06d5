import { createHash } from 'node:crypto';
import path from 'node:path';
import { PasskError } from '../../errors.ts';
import { modelFamily } from '../../judges/model-family.ts';
import { modelsOfJudge } from '../../judges/models-of-judge.ts';
import type { ResolvedRunOptions } from '../../settings/options.ts';
import { readSource } from '../../source/source-file.ts';
import { hintFor } from '../../text/did-you-mean.ts';
import { JUDGE_BACKEND, type JudgeModel, type JudgeSetting, type PlannedJudge } from '../../types/judges/judge.ts';
import {
  isJudged,
  namedJudges,
  preferencesOf,
  type Verification,
  verificationsOf,
  withMinScore,
  withoutJudges,
} from '../../types/judges/named-judges.ts';
import { isScorer, type PlannedEndpoint } from '../../types/model-endpoint.ts';
import type { ScenarioPlan } from '../../types/plan.ts';
import type { Scenario } from '../../types/scenario.ts';
import { factsOf, isDryRun } from '../../types/subjects.ts';
import { withNamedVerifier } from './named-verifier.ts';

type Models = Pick<ResolvedRunOptions, 'models' | 'endpoints' | 'cwd'>;
type Options = Models & Pick<ResolvedRunOptions, 'judges' | 'cassette'>;

/** No limit in practice: judges wait for each other, and each of their calls has its own time limit. */
const LONGEST_MS = 7 * 24 * 3600 * 1000;

/**
 * The plan with the judges that its scenario expects: its trials wait for them, and are not repeatable. Throws `USAGE` for
 * judges and models that are not there, and for a judge of the subject's own family.
 */
export function withJudges(written: ScenarioPlan, options: Options): ScenarioPlan {
  if (!isJudged(written.scenario.expected)) return written;
  const plan = { ...written, scenario: withNamedVerifier(written.scenario, options.judges) };
  const { expected } = plan.scenario;
  // In a dry run nobody is asked.
  if (isDryRun(plan.scenario)) return { ...plan, scenario: { ...plan.scenario, expected: withoutJudges(expected) } };
  const judges = expectedJudges(plan, options);
  for (const judge of judges) refuseFamily(judge, plan);
  const { traits, cassette = options.cassette?.mode, liveEndpoints, dedupe: _, ...others } = plan;
  const endpoints = { ...liveEndpoints, ...endpointsOf(judges) };
  return {
    ...others,
    scenario: withClaims(plan.scenario, judges),
    traits: {
      ...traits,
      sync: false,
      repeatable: false,
      place: traits.place === 'here' ? factsOf(plan.scenario.subject).waitsAt : traits.place,
      longestMs: LONGEST_MS,
    },
    ...(Object.keys(endpoints).length > 0 && { liveEndpoints: endpoints }),
    judges,
    ...(cassette !== undefined && { cassette }),
    blockSize: 1,
  };
}

/** What is expected of judges, and what those do that do it. */
const TASKS = {
  judges: { does: 'judges answers by criteria', hint: 'Name it under `judges`.' },
  prefers: { does: 'compares answers', hint: 'Name it under `prefers`, with the answer to compare with.' },
  faithful: { does: 'verifies claims', hint: 'Name it as `judge` of `faithful`.' },
} as const;

type Task = keyof typeof TASKS;

function taskOf({ compares, verifies }: JudgeSetting): Task {
  return compares === true ? 'prefers' : verifies === true ? 'faithful' : 'judges';
}

/** The scenario with the share of claims that each of its judges asks for. */
function withClaims(scenario: Scenario, judges: readonly PlannedJudge[]): Scenario {
  const expected = judges.reduce(
    (before, { name, claims }) => (claims === undefined ? before : withMinScore(before, name, claims.minScore)),
    scenario.expected,
  );
  return { ...scenario, expected };
}

/**
 * Judges by rubrics, then those that compare, then those that verify. Throws `USAGE` where one is asked for what it does
 * not do, or twice.
 */
function expectedJudges(plan: ScenarioPlan, options: Options): readonly PlannedJudge[] {
  const { name, file, expected } = plan.scenario;
  const prefers = preferencesOf(expected);
  const verified = verificationsOf(expected);
  const planned = (judge: string, task: Task): PlannedJudge => {
    const setting = judgeNamed(judge, plan, options);
    const does = taskOf(setting);
    if (does === task) return plannedJudge(setting, options);
    const message = `The judge "${judge}", which scenario "${name}" (${file}) names, ${TASKS[does].does}.`;
    throw new PasskError('USAGE', message, { hint: TASKS[does].hint });
  };
  const refuseTwice = (judge: string | undefined, does: string): void => {
    if (judge === undefined) return;
    const message = `Scenario "${name}" (${file}) ${does} by the judge "${judge}".`;
    throw new PasskError('USAGE', message, { hint: 'Give each a judge of its own, so that each can be corrected.' });
  };
  refuseTwice(namedTwice(prefers), 'compares with two answers');
  refuseTwice(namedTwice(verified), 'verifies claims in two ways');
  return [
    ...namedJudges(expected).map((judge) => planned(judge, 'judges')),
    ...prefers.map((against) => ({ ...planned(against.judge, 'prefers'), against })),
    ...verified.map((faithful) => verifying(planned(faithful.judge, 'faithful'), faithful, plan)),
  ];
}

/** The first judge that two of a list name. */
function namedTwice(list: readonly { readonly judge: string }[]): string | undefined {
  return list.find(({ judge }, at) => list.findIndex((one) => one.judge === judge) !== at)?.judge;
}

function verifying(judge: PlannedJudge, faithful: Verification, { scenario }: ScenarioPlan): PlannedJudge {
  const { claims } = judge;
  if (claims === undefined || faithful.minScore === undefined) {
    return { ...judge, ...(claims !== undefined && { claims: { ...claims, faithful } }) };
  }
  const message = `Scenario "${scenario.name}" (${scenario.file}) has a \`min_score\` besides that of the judge "${judge.name}".`;
  throw new PasskError('USAGE', message, {
    hint: 'Write it as `min_score` in [[judges]]: a calibration holds for one share of claims only.',
  });
}

function judgeNamed(name: string, { scenario }: ScenarioPlan, { judges }: Options): JudgeSetting {
  const found = judges.find((judge) => judge.name === name);
  if (found !== undefined) return found;
  const names = judges.map((judge) => judge.name);
  throw new PasskError(
    'USAGE',
    `Scenario "${scenario.name}" (${scenario.file}) expects something of the judge "${name}", which is not there.`,
    {
      hint: names.length === 0 ? 'Declare it as [[judges]] in passk.toml.' : hintFor(name, names, 'judges'),
    },
  );
}

/** A judge of the configuration with its models. Throws `USAGE` where one is not there. */
export function plannedJudge(setting: JudgeSetting, options: Models): PlannedJudge {
  const { name, models = [], criteria = [], background = '', repeats = 1, allowSameFamily = false } = setting;
  const { compares = false, verifies = false, minScore = 1, splitter, threshold = 0.5 } = setting;
  const planned = models.map((model) => judgeModel(model, setting, options));
  const scorer = planned.find(({ endpoint }) => endpoint !== undefined && isScorer(endpoint));
  if (!verifies && scorer !== undefined) throw scoresOnly(setting, scorer);
  return {
    name,
    models: [...planned, ...(setting.module === undefined ? [] : [moduleModel(setting.module, setting, options)])],
    criteria: criteria.map(({ id, text }) => ({ id, text })),
    background,
    repeats,
    ...(allowSameFamily && { allowsFamily: true }),
    ...(compares && { compares: true }),
    ...(verifies && {
      claims: {
        minScore,
        ...(splitter !== undefined && { splitter: splitterModel(splitter, setting, options) }),
        ...(scorer !== undefined && { threshold }),
      },
    }),
  };
}

function splitterModel(name: string, setting: JudgeSetting, options: Models): JudgeModel {
  const model = judgeModel(name, setting, options);
  if (model.endpoint !== undefined && isScorer(model.endpoint)) throw scoresOnly(setting, model);
  return model;
}

function scoresOnly({ name }: JudgeSetting, model: JudgeModel): PasskError {
  return new PasskError('USAGE', `Judge "${name}" asks the model "${model.name}" for words, which scores pairs only.`, {
    hint: 'Models that score stand in `models` of a judge with `verifies = true`.',
  });
}

function judgeModel(model: string, { name }: JudgeSetting, { models, endpoints }: Models): JudgeModel {
  const backend = `${JUDGE_BACKEND}${name}/${model}`;
  const endpoint = Object.hasOwn(endpoints, model) ? endpoints[model] : undefined;
  if (endpoint !== undefined) return { name: model, backend, endpoint };
  if (Object.hasOwn(models, model)) return { name: model, backend };
  throw new PasskError('USAGE', `Judge "${name}" asks the model "${model}", which is not there.`, {
    hint: `Name it with --model ${model}=PROVIDER:MODEL, or [models.${model}] in passk.toml.`,
  });
}

/** What a module may take for one question, where nobody says. */
const MODULE_MS = 60_000;
const MOST_BYTES = 16 * 1024 * 1024;

/** A module that judges beside models. Its text is read here, so that a calibration is of this text. */
function moduleModel(file: string, { name, timeoutMs = MODULE_MS }: JudgeSetting, { cwd }: Models): JudgeModel {
  const read = readSource(path.resolve(cwd, file), { root: cwd, maxBytes: MOST_BYTES });
  if (!read.ok) {
    const [why] = read.issues;
    throw new PasskError('USAGE', `Judge "${name}" is the module ${file}, which cannot be read. ${why?.message}`, {
      ...(why?.hint !== undefined && { hint: why.hint }),
    });
  }
  const sha256 = createHash('sha256').update(read.source.text).digest('hex');
  return { name: file, backend: `${JUDGE_BACKEND}${name}/${file}`, module: { file, sha256, timeoutMs } };
}

/** Throws `USAGE` where the subject is known to be of the judge's own family, which judges prefer. */
function refuseFamily(judge: PlannedJudge, { scenario, liveEndpoints = {} }: ScenarioPlan): void {
  const { name, allowsFamily } = judge;
  if (allowsFamily === true) return;
  const models = factsOf(scenario.subject).modelsTried(scenario.subject, Object.keys(liveEndpoints));
  for (const { endpoint } of modelsOfJudge(judge)) {
    const family = endpoint === undefined ? null : modelFamily(endpoint.model);
    const tried = models
      .map((model) => liveEndpoints[model])
      .find((one) => one !== undefined && modelFamily(one.endpoint.model) === family);
    if (family === null || tried === undefined) continue;
    throw new PasskError(
      'USAGE',
      `Judge "${name}" (${endpoint?.model}) is of the same family as ${tried.endpoint.model}, which scenario "${scenario.name}" tries: ${family}.`,
      { hint: 'Judges prefer their own family. Take a judge of another, or set allow_same_family.' },
    );
  }
}

function endpointsOf(judges: readonly PlannedJudge[]): Readonly<Record<string, PlannedEndpoint>> {
  const models = judges.flatMap(modelsOfJudge);
  return Object.fromEntries(
    models.flatMap(({ backend, endpoint }) =>
      endpoint === undefined ? [] : [[backend, { endpoint, isTrusted: true }]],
    ),
  );
}
