import type { Issue } from '../../types/issue.ts';
import type { Scenario } from '../../types/scenario.ts';
import { isJudgedByCode, isJudgedHere } from '../../types/scenarios/judging-code.ts';
import { hasWorldObject, isWorkflow, usesProcessCode, worldModuleOf } from '../../types/subjects.ts';

/**
 * Why code of a program cannot take part in a scenario. It runs on the calling thread, and modules of the user run in workers;
 * only an agent may be on the other side of whoever judges it.
 */
export function codeApart(scenario: Scenario): readonly Issue[] {
  const { subject, expected } = scenario;
  if (!usesProcessCode(scenario)) return [];
  const hint = 'Import the module, and give what it exports in its place.';
  const isHere = isJudgedHere(expected) || (subject.kind === 'session' && hasWorldObject(subject));
  const others = [
    ...(isWorkflow(scenario) ? ['it judges a workflow'] : []),
    ...(subject.kind === 'session' && subject.agent.kind === 'module' ? ['its agent is a module'] : []),
    ...(subject.kind !== 'session' || worldModuleOf(subject) === null ? [] : ['its world is a module']),
    ...(isJudgedByCode(expected) && isHere ? ['modules or plug-ins judge it'] : []),
  ];
  return others.map(
    (other): Issue => ({
      code: 'code_apart',
      severity: 'error',
      message: `Code of this program takes part, and ${other}: these run in workers.`,
      hint: isWorkflow(scenario)
        ? 'Write it in a module, and name that: { type: "module", module: "rules.mjs" }.'
        : hint,
    }),
  );
}
