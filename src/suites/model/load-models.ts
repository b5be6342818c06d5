import { unloadedDocument } from '../unloaded-document.ts';
import path from 'node:path';
import { useText } from '../../checks/validator-checks.ts';
import { bareScenario, NOTHING_EXPECTED } from '../../scenario/bare-scenario.ts';
import { readOrigin } from '../../scenario/read-origin.ts';
import type { ModelTestOptions, RegistryView } from '../../scenario/registry-view.ts';
import type { SourceDocument } from '../../source/toml-document.ts';
import type { Issue } from '../../types/issue.ts';
import type { JsonObject } from '../../types/json.ts';
import {
  DIRECT,
  type ModelAccess,
  type ModelSuite,
  type SpecTest,
  type StrayFailure,
} from '../../types/model-suite.ts';
import type { ModelTest } from '../../types/model-test.ts';
import type { LoadedScenario, Scenario } from '../../types/scenario.ts';
import { freezeDeep } from '../../values/freeze-deep.ts';
import { modelTestName } from '../../values/model-test-name.ts';
import { numberAt, tableAt } from '../../workflow/raw-data.ts';
import { type Report, toIssue } from '../../workflow/report.ts';
import type { LoadedDocument, LoadDocumentOptions } from '../suite-kind.ts';
import { type FoundConform, loadConform } from './find-conform.ts';
import { expectedFailures } from './expected-failures.ts';
import { foldersIn } from './find-specs.ts';
import { isModelFile } from './document-form.ts';
import { accessesOf, pluginOf, type SpecPlace, startOf } from './model-accesses.ts';
import { NO_CONFORM } from './read-conform.ts';
import { type ReadModel, readSpec } from './read-spec.ts';
import { validatorReader } from './read-validators.ts';

/** Nobody says anything. */
const NO_OPTIONS: ModelTestOptions = {
  conform: null,
  runtimes: [],
  runner: null,
  runnerUrl: null,
  specsDir: null,
  pluginsDir: null,
  pluginConcurrency: null,
  testConcurrency: null,
  maxRetries: null,
  retryBaseDelay: null,
  actionTimeout: null,
  compat: 'both',
  expectedFailures: null,
  samples: null,
  failOnFlaky: false,
};

/** Loads a spec file: each of its models and tests under each runtime becomes a scenario. */
export async function loadModelDocument(
  document: SourceDocument,
  view: RegistryView,
  options: LoadDocumentOptions,
): Promise<LoadedDocument<ModelSuite>> {
  const { source } = document;
  const modelTests = view.modelTests ?? NO_OPTIONS;
  const spec = readSpec(document, validatorReader(view.validators ?? new Map()));
  const found: FoundConform = isModelFile(document)
    ? { conform: NO_CONFORM, issues: [] }
    : loadConform(
        modelTests.conform === null ? null : path.resolve(options.cwd, modelTests.conform),
        options.folder,
        options,
      );
  const issues: Issue[] = [...spec.issues, ...found.issues];
  const report: Report = (problem) => issues.push(toIssue(problem, document.locate));
  const place: SpecPlace = { document, spec: spec.models, conform: found.conform, modelTests, view, options, report };
  const accesses = issues.some(isError) ? [] : accessesOf(place);
  for (const runner of new Set(accesses.map((access) => access.runner))) checkJudge(place, runner);
  const suites = accesses.map((access) => suiteOf(place, access, { several: accesses.length > 1, issues }));
  if (issues.some(isError)) {
    return unloadedDocument(source.name, { name: pluginOf(place), issues });
  }
  const rows = suites.flatMap(({ suite, access }) =>
    suite.missingEnv.length > 0 ? [] : scenariosOf(place, suite, access),
  );
  return {
    rows: rows.map((scenario, index): LoadedScenario => {
      return { ok: true, file: source.name, scenario: freezeDeep(scenario), issues: index === 0 ? issues : [] };
    }),
    definitions: suites.map(({ suite }) => freezeDeep(suite)),
    notRun: [],
    issues,
  };
}

/** A runner that judges by itself must know what the tests ask for. */
function checkJudge({ spec, view, modelTests, document, report }: SpecPlace, runner: string): void {
  const judges = view.runners?.get(runner)?.judges;
  if (judges === undefined) return;
  if (modelTests.compat === 'python') {
    report({
      code: 'bad_option',
      message: `The runner "${runner}" judges answers itself, and not as \`--compat python\` says.`,
      at: startOf(document),
      hint: 'Leave --compat away, or ask with another runner.',
    });
  }
  for (const { at, tests } of spec) {
    const customTests = tests.filter(({ capability }) => capability === null);
    for (const [index, { validators }] of customTests.entries()) {
      for (const [position, { type }] of validators.entries()) {
        if (judges.includes(type)) continue;
        report({
          code: 'unknown_validator',
          message: `The runner "${runner}" judges answers itself, and does not know the validator "${type}".`,
          at: [...at, 'tests', index, 'validators', position],
          hint: 'Ask with another runner, whose answers passk judges.',
        });
      }
    }
  }
}

function isError({ severity }: Issue): boolean {
  return severity === 'error';
}

function suiteOf(
  { document, spec, options, view, modelTests }: SpecPlace,
  access: ModelAccess,
  { several, issues }: { readonly several: boolean; readonly issues: Issue[] },
): { readonly suite: ModelSuite; readonly access: ModelAccess } {
  const { runtime, runner } = access;
  const plugin = pluginOf({ document, options });
  const table = isModelFile(document) ? tableAt(document.data, 'model') : {};
  const missingEnv =
    access.url === null && runner !== DIRECT ? access.env.filter((name) => view.hasEnv?.(name) === false) : [];
  const name = several ? `${plugin}@${runtime}` : plugin;
  const expected = expectedFailures(
    modelTests.expectedFailures,
    {
      suite: name,
      scenarios: spec.flatMap((model) => model.tests.map(({ id }) => modelTestName(name, model.name, id))),
    },
    options,
  );
  issues.push(...expected.issues);
  const suite: ModelSuite = {
    kind: 'model',
    name,
    file: document.source.name,
    plugin,
    runtime,
    runner,
    models: spec.map((model) => ({ name: model.name, tests: specTests(model, document) })),
    missingEnv,
    ...(missingEnv.length > 0 && {
      unrun: spec.flatMap((model) => model.tests.map(({ id }) => ({ plugin: name, model: model.name, test: id }))),
    }),
    minPassRate: numberAt(table, 'min_pass_rate') ?? 1,
    samples: samplesOf(modelTests),
    expectedFailures: expected.names,
    strayFailures: strays(expected.others, plugin, options.folder),
    failsOnFlaky: modelTests.failOnFlaky,
  };
  return { suite, access };
}

/** Tests with their places: a test of the user's stands in `tests`, one of passk's is asked for by a word of `supports`. */
function specTests({ at, supports, tests }: ReadModel, document: SourceDocument): readonly SpecTest[] {
  let customTests = 0;
  return tests.map(({ id, name, capability, stream, validators }): SpecTest => {
    const word = supports.indexOf(capability ?? '');
    const key = capability === null ? ['tests', customTests++] : word === -1 ? [] : ['supports', word];
    const { line, column } = document.locate([...at, ...key]);
    return { id, name, capability, stream, validators: validators.map(useText), at: { line, column } };
  });
}

/** Another runtime of a plug-in, or a plug-in that has its spec file beside this one, may be left out of a run. */
function strays(others: readonly StrayFailure[], plugin: string, folder: string): readonly StrayFailure[] {
  if (others.length === 0) return [];
  const names = [plugin, ...foldersIn(path.dirname(folder))];
  return others.filter((other) => !names.includes(other.plugin.replace(/@[^@]*$/, '')));
}

function samplesOf({ samples }: ModelTestOptions): ModelSuite['samples'] {
  if (samples === null) return null;
  const [least = 1, of = 1] = samples.split('/').map(Number);
  return { least, of };
}

function scenariosOf(place: SpecPlace, suite: ModelSuite, access: ModelAccess): readonly Scenario[] {
  return place.spec.flatMap(({ name, tests }) =>
    tests.map((test) => scenarioOf(place, { suite, access, model: name, test })),
  );
}

/** Null: every trial must pass. */
function barOf({ minPassRate, samples }: ModelSuite): number | null {
  const bar = samples === null ? minPassRate : samples.least / samples.of;
  // Rounded down, so that `least` of `of` meet it; one less is further away than that.
  return bar === 1 ? null : samples === null ? bar : Math.floor(bar * 1e9) / 1e9;
}

interface Cell {
  readonly suite: ModelSuite;
  readonly access: ModelAccess;
  readonly model: string;
  readonly test: ModelTest;
}

function scenarioOf(
  { document, conform, modelTests, view }: SpecPlace,
  { suite, access, model, test }: Cell,
): Scenario {
  const table: JsonObject = isModelFile(document) ? tableAt(document.data, 'model') : {};
  const origin = isModelFile(document) ? readOrigin(document.data) : null;
  const { compat } = modelTests;
  const name = modelTestName(suite.name, model, test.id);
  const judges = view.runners?.get(access.runner)?.judges !== undefined;
  // Most specific first: command line, model, plug-in, all.
  const timeoutMs =
    modelTests.actionTimeout === null
      ? (numberAt(table, 'timeout_ms') ??
        conform.models[model] ??
        conform.plugins[suite.plugin]?.actionTimeoutMs ??
        conform.actionTimeoutMs)
      : modelTests.actionTimeout * 1000;
  return {
    ...bareScenario({
      name,
      file: suite.file,
      trials: suite.samples?.of ?? numberAt(table, 'trials') ?? 1,
      timeoutMs: Math.max(1, Math.round(timeoutMs)),
    }),
    ...(origin !== null && { origin }),
    subject: {
      kind: 'model',
      model,
      access,
      test,
      compat,
      retries: {
        most: modelTests.maxRetries ?? numberAt(table, 'max_retries') ?? conform.maxRetries,
        baseDelayMs: modelTests.retryBaseDelay === null ? conform.retryBaseDelayMs : modelTests.retryBaseDelay * 1000,
      },
    },
    expected: {
      ...NOTHING_EXPECTED,
      validators: { list: test.validators, stream: test.stream, compat, ...(judges && { judgedBy: access.runner }) },
    },
    minPassRate: barOf(suite),
    tags: test.capability === null ? [] : [test.capability],
    part: { kind: 'model', of: suite.name, model, test: test.id, names: { plugin: suite.name, model, test: test.id } },
  };
}
