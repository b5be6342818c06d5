import type { ScenarioDefinition } from '../src/scenario/objects/define-scenario.ts';
import { resolveRunOptions } from '../src/settings/options.ts';
import { prepareRun } from '../src/suite/run-suite.ts';
import { startClock } from '../src/pool/start-clock.ts';
import { buildProgram } from '../src/trial/build-program.ts';
import type { TrialProgram } from '../src/trial/program.ts';
import type { RunPlan, ScenarioPlan, WorkflowPlan } from '../src/types/plan.ts';
import { isWorkflowPlan } from '../src/types/subjects.ts';

/** llm_infer → switch → terminate; of four equally likely answers two are routed, one is not, one is not JSON. */
export const ROUTE3: ScenarioDefinition = {
  name: 'route3',
  minPassRate: 0.2,
  workflow: {
    inline: {
      name: 'route3',
      startNodes: [{ name: 'main', source: 'manual', entryNode: 'classify' }],
      nodes: [
        { id: 'classify', type: 'llm_infer', backend: 'default', prompt: 'Which one?', outputSchema: 'inline' },
        { id: 'route', type: 'switch', expr: 'classify.parsed.label' },
        { id: 'alpha', type: 'terminate' },
        { id: 'beta', type: 'terminate' },
      ],
      edges: [
        { from: 'classify', to: 'route' },
        { from: 'route', to: 'alpha', when: 'alpha' },
        { from: 'route', to: 'beta', when: 'beta' },
      ],
    },
  },
  intel: {
    turns: [
      {
        variants: ['{"label":"alpha"}', '{"label":"beta"}', '{"label":"gamma"}', '{"label":'].map((content) => ({
          content,
          promptTokens: 12,
          completionTokens: 5,
        })),
      },
    ],
  },
  expected: {
    status: 'completed',
    lastNode: 'alpha',
    path: ['classify', 'route', 'alpha'],
    pathExact: true,
    maxLlmCalls: 1,
    maxTotalTokens: 17,
  },
};

const LINE = Array.from({ length: 20 }, (_, index) => `n${index}`);

/** One answer of the model, then 18 merge nodes in a row, then the end. */
export const LINEAR20: ScenarioDefinition = {
  name: 'linear20',
  workflow: {
    inline: {
      name: 'linear20',
      startNodes: [{ name: 'main', source: 'manual', entryNode: 'n0' }],
      nodes: LINE.map((id, index) => {
        if (index === 0) return { id, type: 'llm_infer', backend: 'default', prompt: 'Go.' };
        return { id, type: index === LINE.length - 1 ? 'terminate' : 'merge' };
      }),
      edges: LINE.slice(1).map((to, index) => ({ from: LINE[index] ?? '', to })),
    },
  },
  intel: { turns: [{ content: 'go', promptTokens: 12, completionTokens: 5 }] },
  expected: {
    status: 'completed',
    lastNode: 'n19',
    path: LINE,
    pathExact: true,
    maxLlmCalls: 1,
    maxTotalTokens: 17,
  },
};

const MANY = 1_000_000;

/**
 * The plan that a run would make of these scenarios; of many trials, unless somebody says how many: what is compiled for
 * a single trial keeps nothing for a second.
 */
export async function planOf(
  scenarios: readonly ScenarioDefinition[],
  options: { readonly trials?: number; readonly cwd?: string } = {},
): Promise<RunPlan> {
  const isSaid = scenarios.some(({ trials }) => trials !== undefined);
  return (await prepareRun(resolveRunOptions({ scenarios, ...(!isSaid && { trials: MANY }), ...options }))).plan;
}

/** The first scenario of a plan. */
export function firstOf(plan: RunPlan): WorkflowPlan {
  const [first] = plan.scenarios;
  if (first === undefined || !isWorkflowPlan(first)) throw new Error('no workflow is planned');
  return first;
}

/** The program that a worker would compile. */
export async function programOf(plan: ScenarioPlan): Promise<TrialProgram> {
  return buildProgram(plan, { plugins: [], callHost: null, startClock, effects: null });
}

/** Runs block after block of trials that were not run before, as a worker does, into one tally. */
export function blockRunner(program: TrialProgram, blocks: number): { readonly trials: number; run(): unknown } {
  const tally = program.newTally();
  const trials = blocks * 4096;
  let from = 0;
  return {
    trials,
    run() {
      for (const end = from + trials; from < end; from += 4096) program.run(from, from + 4096, tally);
      if (from > 2 ** 31) from = 4096;
      return tally.passed;
    },
  };
}
