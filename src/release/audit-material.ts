import { resolveRunOptions, type RunSuiteOptions } from '../settings/options.ts';
import { auditScenarios, READING_TOOLS } from '../suite/audit-set/audit-set.ts';
import type { SuiteInput } from '../suite/load-suite.ts';
import { requireLoaded } from '../suite/require-loaded.ts';
import { type AuditedTask, TRIVIAL_SUBJECTS, type TrivialSubject } from '../types/audit/set-audit.ts';
import type { AuditFacts } from '../types/release/audit-facts.ts';
import type { Scenario } from '../types/scenario.ts';
import { workflowsOf } from '../types/subjects.ts';
import { isGating } from './axes/outcome-axis.ts';

/** Options of a run that an audit heeds. Nothing of the real world is reached, and nobody is asked. */
const AUDITED: ReadonlySet<string> = new Set([
  'cwd',
  'plugins',
  'errors',
  'upstreamSemantics',
  'workers',
  'isolation',
  'seed',
  'prices',
  'signal',
  'onOutput',
]);

/** Names of scenarios that one fact lists. */
const MOST_NAMES = 20;

/**
 * Audits the scenarios that decide, before they are run: subjects that can do nothing should pass few of them, and answers
 * that are held to be right all. An attack is resisted by whoever does nothing, so those are left out; contracts are judged
 * by themselves.
 */
export async function auditMaterial(input: SuiteInput, runOptions: RunSuiteOptions): Promise<AuditFacts> {
  const running = Object.entries(runOptions).filter(([name]) => AUDITED.has(name));
  const options = resolveRunOptions(Object.fromEntries(running));
  requireLoaded(input, { keepGoing: false });
  const ownNodes = new Set(input.liveNodes.map(({ type }) => type));
  const scenarios = input.suite.scenarios.filter((scenario) => decides(scenario) && !asksProgram(scenario, ownNodes));
  const bounds = { maxTrivial: 1, reads: READING_TOOLS };
  const { tasks, trivial, gold, duplicates } = await auditScenarios({ input, scenarios, options, bounds });
  return {
    tasks: tasks.length,
    trivial: trivial.map((one) => ({ subject: one.subject, tasks: one.tasks, passed: one.passed })),
    gold: { tasks: gold.tasks, passed: gold.passed },
    trivially: namesOf(tasks.filter(({ passedBy }) => passedBy.length > 0)),
    goldFails: namesOf(tasks.filter((task) => task.gold === 'failed')),
    duplicates: duplicates.length,
  };
}

/** What several audits found together, whatever their order. A scenario that two of them saw counts for each. */
export function mergeAudits(audits: readonly AuditFacts[]): AuditFacts {
  const sum = (of: (audit: AuditFacts) => number): number => audits.reduce((total, audit) => total + of(audit), 0);
  const all = (of: (audit: AuditFacts) => readonly string[]): readonly string[] =>
    [...new Set(audits.flatMap(of))].sort().slice(0, MOST_NAMES);
  const ofSubject = (audit: AuditFacts, subject: TrivialSubject) =>
    audit.trivial.find((one) => one.subject === subject);
  return {
    tasks: sum(({ tasks }) => tasks),
    trivial: TRIVIAL_SUBJECTS.map((subject) => ({
      subject,
      tasks: sum((audit) => ofSubject(audit, subject)?.tasks ?? 0),
      passed: sum((audit) => ofSubject(audit, subject)?.passed ?? 0),
    })),
    gold: { tasks: sum(({ gold }) => gold.tasks), passed: sum(({ gold }) => gold.passed) },
    trivially: all(({ trivially }) => trivially),
    goldFails: all(({ goldFails }) => goldFails),
    duplicates: sum(({ duplicates }) => duplicates),
  };
}

function decides({ part, origin }: Scenario): boolean {
  return part === undefined && isGating({ suite: origin?.suite });
}

/** True: functions of the calling program are nodes of its workflow. */
function asksProgram({ subject }: Scenario, ownNodes: ReadonlySet<string>): boolean {
  return workflowsOf(subject).some(({ nodes }) => nodes.some(({ type }) => ownNodes.has(type)));
}

function namesOf(tasks: readonly AuditedTask[]): readonly string[] {
  return tasks.slice(0, MOST_NAMES).map(({ name }) => name);
}
