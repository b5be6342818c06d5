import { endpointOf } from '../../host/live-backends.ts';
import { PasskError } from '../../errors.ts';
import type { ResolvedRunOptions } from '../../settings/options.ts';
import { builtinRegistry } from '../../trial/registry.ts';
import { DIRECT } from '../../types/model-suite.ts';
import type { PlannedEndpoint } from '../../types/model-endpoint.ts';
import type { ModelSubject } from '../../types/model-suite.ts';
import type { ModelPlan } from '../../types/plan.ts';
import type { Scenario } from '../../types/scenario.ts';
import { type PlanContext, planDraws } from './plan-context.ts';

type ModelScenario = Scenario<ModelSubject>;

/** Questions wait for their turn, and each attempt has a time of its own. */
const LONGEST_MS = 7 * 24 * 3600 * 1000;

/** Trials in flight for each question at a time: one that waits for its retry lets others ask. */
const IN_FLIGHT = 4;

/** The plan of a scenario that tests a model, which is done by the host. */
export function planModel(
  scenario: ModelScenario,
  index: number,
  context: PlanContext,
  options: ResolvedRunOptions,
): ModelPlan {
  const { subject, expected, part } = scenario;
  const { cassette } = options;
  const timed = { ...scenario, timeoutMs: options.timeoutMs ?? scenario.timeoutMs };
  const uses = expected.validators?.list ?? [];
  // A validator of the user may judge by anything.
  const userCode = uses.some(({ type }) => !builtinRegistry.validators.has(type));
  return {
    index,
    scenario: timed,
    ...planDraws(scenario, options),
    traits: {
      sync: false,
      repeatable: false,
      place: 'host',
      orderGroup: null,
      ...(part !== undefined && { waitsFor: { name: part.of, atOnce: IN_FLIGHT * subject.access.atOnce } }),
      longestMs: LONGEST_MS,
    },
    userCode,
    schemas: userCode || uses.some(({ type }) => SCHEMA_VALIDATORS.has(type)),
    liveModels: [],
    ...(subject.access.runner === DIRECT && {
      liveEndpoints: { [subject.model]: directEndpoint(timed, options) },
    }),
    liveNodes: [],
    blockSize: 1,
    folder: context.root,
    ...(cassette !== null && { cassette: cassette.mode }),
  };
}

/** Those that judge by JSON Schemas. */
const SCHEMA_VALIDATORS: ReadonlySet<string> = new Set(['matches-schema', 'tool-input-schema']);

/** Where passk's own client finds a model: as the user says, else as the file does. Throws `USAGE` where nobody does. */
function directEndpoint(
  { subject, file, timeoutMs }: ModelScenario,
  { models, endpoints, permissions, live }: ResolvedRunOptions,
): PlannedEndpoint {
  const { model, access, test, retries } = subject;
  if (!live) {
    throw new PasskError('USAGE', `The runner "direct" asks "${model}" itself, which costs money.`, {
      hint: 'Agree to it with --live.',
    });
  }
  const declared = access.endpoints?.[model];
  const backends = declared === undefined ? [] : [{ name: model, ...declared }];
  const found = endpointOf(model, backends, { models, endpoints, permissions });
  if (typeof found === 'string') throw new PasskError('USAGE', `Nobody says where "${model}" of ${file} is. ${found}`);
  const { atOnce, plugins } = access;
  // Where nobody limits the endpoint itself, what tests may ask at once is the limit.
  const maxConcurrent = found.endpoint.maxConcurrent ?? atOnce * plugins;
  return {
    ...found,
    endpoint: { ...found.endpoint, stream: test.stream, timeoutMs, maxRetries: retries.most, maxConcurrent },
  };
}
