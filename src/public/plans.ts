/** What is known before a run: its plan, what a change affects, and which plug-ins there are. */
export { renderPlan } from '../report/render-plan.ts';
export { affectedFiles } from '../suite/affected-files.ts';
export { type ListedPlugin, listPlugins } from '../suite/list-plugins.ts';
export { planSuite, type PlanSuiteOptions } from '../suite/plan/plan-suite.ts';
