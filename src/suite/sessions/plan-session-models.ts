import { PasskError } from '../../errors.ts';
import { declaredEndpoint, endpointOf } from '../../host/live-backends.ts';
import type { ResolvedRunOptions } from '../../settings/options.ts';
import type { SessionPlan } from '../../types/plan.ts';
import type { AgentSubject, Scenario, WorkflowSubject } from '../../types/scenario.ts';
import { judgingModules } from '../../types/scenarios/judging-code.ts';
import type { SessionSubject } from '../../types/session.ts';
import { worldModuleOf } from '../../types/subjects.ts';

type AskedModels = Pick<SessionPlan, 'liveEndpoints'> & Partial<Pick<SessionPlan, 'liveModels'>>;

/** How the models of user and agent are asked; null: none is. */
export function planModels(scenario: Scenario<SessionSubject>, options: ResolvedRunOptions): AskedModels | null {
  const user = planUser(scenario, options);
  const agent = planModelAgent(scenario, options) ?? planServedModel(scenario, options);
  return together(together(user, agent), planMutation(scenario, options));
}

function together(one: AskedModels | null, other: AskedModels | null): AskedModels | null {
  if (one === null || other === null) return one ?? other;
  return {
    ...one,
    ...other,
    liveModels: [...new Set([...(one.liveModels ?? []), ...(other.liveModels ?? [])])],
    ...((one.liveEndpoints ?? other.liveEndpoints) !== undefined && {
      liveEndpoints: { ...one.liveEndpoints, ...other.liveEndpoints },
    }),
  };
}

/** How the model is asked that mutates messages; null: none does. */
export function planMutation(
  { subject, file }: Scenario<SessionSubject | AgentSubject | WorkflowSubject>,
  options: ResolvedRunOptions,
): AskedModels | null {
  const model = subject.mutation?.model;
  if (model === undefined) return null;
  return planAsked(
    model,
    { who: `Messages of ${file} are mutated by`, hint: 'Agree to it with --live.', file },
    options,
  );
}

/**
 * How an agent that is a model is asked. Where its file says where it is, the grants of its address and its key are consent; a
 * model of the configuration costs what it costs. Throws `USAGE` where it may not or cannot be asked.
 */
function planModelAgent({ subject, file }: Scenario<SessionSubject>, options: ResolvedRunOptions): AskedModels | null {
  const { agent } = subject;
  if (agent.kind !== 'model') return null;
  const { model, endpoint } = agent;
  if (endpoint !== null) {
    const found = declaredEndpoint({ name: model, ...endpoint }, options.permissions);
    if ('endpoint' in found) return { liveEndpoints: { [model]: found } };
    throw new PasskError('USAGE', `An agent of ${file} cannot be asked: ${found.problems.join(' ')}`);
  }
  return planAsked(model, { who: `An agent of ${file} is`, hint: 'Agree to it with --live.', file }, options);
}

/** How the model is asked that an agent outside finds with passk; null: none is, or its answers are canned. */
function planServedModel({ subject, file }: Scenario<SessionSubject>, options: ResolvedRunOptions): AskedModels | null {
  const { agent } = subject;
  if (agent.kind !== 'outside' || agent.model === undefined) return null;
  const { name, turns } = agent.model;
  if (!options.live && turns.length > 0) return null;
  const hint = 'Agree to it with --live, or give the model canned turns.';
  return planAsked(name, { who: `An agent of ${file} asks`, hint, file }, options);
}

/** A model of the configuration costs what it costs. Throws `USAGE` where it may not or cannot be asked. */
function planAsked(
  model: string,
  { who, hint, file }: { readonly who: string; readonly hint: string; readonly file: string },
  options: ResolvedRunOptions,
): AskedModels {
  if (Object.hasOwn(options.models, model)) return { liveModels: [model] };
  if (!options.live) throw new PasskError('USAGE', `${who} the model "${model}", which costs money.`, { hint });
  const found = endpointOf(model, [], options);
  if (typeof found === 'string') throw new PasskError('USAGE', `Nobody says where "${model}" of ${file} is. ${found}`);
  return { liveEndpoints: { [model]: found } };
}

/**
 * Whether a cassette takes sessions down, or gives them: those whose agent or user is not canned. Throws `USAGE` where they need
 * code besides their agent, which no replay runs.
 */
export function cassetteOf(
  { subject, expected, file }: Scenario<SessionSubject>,
  models: AskedModels | null,
  { cassette }: ResolvedRunOptions,
): Pick<SessionPlan, 'cassette'> {
  if (cassette === null || (subject.agent.kind === 'canned' && models === null)) return {};
  const code = [
    ...(worldModuleOf(subject) === null ? [] : ['a world that is a module']),
    ...(judgingModules(expected).length === 0 ? [] : ['checks that are modules']),
    ...(expected.commands === undefined ? [] : ['checks that are programs']),
  ];
  if (code.length === 0) return { cassette: cassette.mode };
  throw new PasskError('USAGE', `${file} has ${code.join(' and ')}, which no replay runs.`, {
    hint: 'Leave --record and --replay away, or these.',
  });
}

/**
 * How the model of a user is asked: as a workflow's models are, so that a function needs no consent where no turns are
 * canned. Null: no model is asked. Throws `USAGE` where one must be, and may not or cannot.
 */
function planUser({ subject, file }: Scenario<SessionSubject>, options: ResolvedRunOptions): AskedModels | null {
  const { user } = subject;
  if (user.kind !== 'model' || (!options.live && user.turns.length > 0)) return null;
  const { model } = user;
  const hint = 'Agree to it with --live, or give the user canned turns.';
  return planAsked(model, { who: `The user of ${file} is played by`, hint, file }, options);
}
