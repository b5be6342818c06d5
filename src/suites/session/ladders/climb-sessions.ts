import type { DocumentOptions } from '../../../scenario/load-scenario.ts';
import { fillCase } from '../../../scenario/cases/fill-case.ts';
import { type Ladder, readLadder } from '../../../scenario/ladders/read-ladder.ts';
import { NOTHING_EXPECTED } from '../../../scenario/bare-scenario.ts';
import { issueKey } from '../../../source/issue-key.ts';
import type { SourceDocument } from '../../../source/toml-document.ts';
import type { Issue } from '../../../types/issue.ts';
import type { JsonObject } from '../../../types/json.ts';
import type { Scenario } from '../../../types/scenario.ts';
import type { SessionSubject } from '../../../types/session.ts';
import { tableAt, valueAt } from '../../../workflow/raw-data.ts';
import { collectIssues, type Report } from '../../../workflow/report.ts';

/** What a file of tasks gives: scenarios, and its problems. */
export interface ReadSessions {
  readonly scenarios: readonly Scenario<SessionSubject>[];
  readonly issues: readonly Issue[];
}

/**
 * The scenarios of a file of tasks with a ladder: each one that `read` gives, on each rung. A problem that all rungs have is
 * told once, any other one with its rung.
 */
export async function climbSessions(
  document: SourceDocument,
  { read, step }: { readonly read: (document: SourceDocument) => ReadSessions } & Pick<DocumentOptions, 'step'>,
): Promise<ReadSessions> {
  const ladder = readLadder(document, 'session');
  if (ladder.issues.length > 0) return { scenarios: [], issues: ladder.issues };
  const rungs: ReadSessions[] = [];
  for (const n of ladder.rungs.keys()) {
    await step?.();
    rungs.push(readRung(document, { ladder, n }, read));
  }
  return { scenarios: rungs.flatMap(({ scenarios }) => scenarios), issues: issuesOf(rungs, ladder) };
}

interface Rung {
  readonly ladder: Ladder;
  /** Its position. */
  readonly n: number;
}

function readRung(
  { data, locate, ...document }: SourceDocument,
  rung: Rung,
  read: (document: SourceDocument) => ReadSessions,
): ReadSessions {
  const one = rung.ladder.cases[rung.n];
  if (one === undefined) return { scenarios: [], issues: [] };
  let filled = data;
  const missing = collectIssues(locate, (report) => {
    filled = fillCase(data, one, { report, used: new Set() });
  });
  if (missing.length > 0) return { scenarios: [], issues: missing };
  const { scenarios, issues } = read({ ...document, locate, data: limited(filled, rung) });
  let climbed = scenarios;
  const wrong = collectIssues(locate, (report) => {
    climbed = scenarios.map((scenario) => climbSession(scenario, rung, report));
  });
  return { scenarios: climbed, issues: [...issues, ...wrong] };
}

function issuesOf(rungs: readonly ReadSessions[], ladder: Ladder): readonly Issue[] {
  const counts = new Map<string, number>();
  for (const { issues } of rungs)
    for (const key of new Set(issues.map(issueKey))) counts.set(key, (counts.get(key) ?? 0) + 1);
  return rungs.flatMap(({ issues }, n) =>
    issues.flatMap((issue): readonly Issue[] => {
      const isShared = counts.get(issueKey(issue)) === rungs.length;
      if (isShared) return n === 0 ? [issue] : [];
      return [{ ...issue, message: `On rung ${ladder.rungs[n] ?? 0}: ${issue.message}` }];
    }),
  );
}

/** The scenario on a rung; problems that keep it from being one are reported. */
function climbSession(
  scenario: Scenario<SessionSubject>,
  { ladder: { kind, measure, rungs, oneCall }, n }: Rung,
  report: Report,
): Scenario<SessionSubject> {
  const rung = rungs[n] ?? 0;
  const { name, mutation } = scenario;
  const on = (one: string): string => `${one} · ${rung}`;
  const climbed: Scenario<SessionSubject> = {
    ...scenario,
    name: on(name),
    ...(mutation !== undefined && { mutation: { ...mutation, of: on(mutation.of) } }),
    ladder: { of: name, kind, measure, rung },
  };
  if (kind === 'budget') return cutOff(climbed, { measure, rung, oneCall });
  return kind === 'concurrency' ? askedAtOnce(climbed, { rung, n, report }) : climbed;
}

/**
 * Whether the task is done says nothing here: a session that is cut off has to end, and to call no more. The answer that passed
 * a budget of tokens still counts, and no further one is made.
 */
function cutOff(
  scenario: Scenario<SessionSubject>,
  { measure, rung, oneCall }: { readonly rung: number } & Pick<Ladder, 'measure' | 'oneCall'>,
): Scenario<SessionSubject> {
  const { attack } = scenario.expected;
  const max = measure === 'tokens' ? { llmTokens: rung + oneCall } : { toolCalls: rung };
  return { ...scenario, expected: { ...NOTHING_EXPECTED, max, ...(attack !== undefined && { attack }) } };
}

/** The file with the budget as a limit of its sessions, as if it stood there. */
function limited(data: JsonObject, { ladder: { kind, measure, rungs }, n }: Rung): JsonObject {
  if (kind !== 'budget') return data;
  const session = tableAt(data, 'session');
  const own = valueAt(session, measure);
  // What is wrong with the file's own limit is told all the same.
  if (own !== undefined && !(Number.isSafeInteger(own) && Number(own) > 0)) return data;
  return { ...data, session: { ...session, [measure]: rungs[n] ?? 1 } };
}

function askedAtOnce(
  scenario: Scenario<SessionSubject>,
  { rung, n, report }: { readonly rung: number; readonly n: number; readonly report: Report },
): Scenario<SessionSubject> {
  const { subject, trials, ladder } = scenario;
  const { agent, worldCode } = subject;
  const at = ['ladder'];
  if (agent.kind !== 'outside' || worldCode !== undefined) {
    report({
      code: 'not_at_once',
      message: `"${ladder?.of}" cannot be asked more and more at a time.`,
      at: [...at, 'kind'],
      hint: 'Such a ladder is for agents behind HTTP, programs and MCP, in worlds that files declare.',
    });
    return scenario;
  }
  if (agent.agent.atOnce === null) {
    report({
      code: 'not_at_once',
      message: `The agent of "${ladder?.of}" is asked one thing at a time, because it may keep what it is told.`,
      at: [...at, 'kind'],
      hint: 'Say stateless = true, or name the {session} in its request.',
    });
    return scenario;
  }
  if (rung > trials) {
    report({
      code: 'out_of_range',
      message: `With ${trials} trial${trials === 1 ? '' : 's'} no ${rung} are asked at a time.`,
      at: [...at, 'rungs', n],
      hint: 'Raise "trials" to several times the highest rung.',
    });
  }
  return { ...scenario, subject: { ...subject, agent: { ...agent, agent: { ...agent.agent, atOnce: rung } } } };
}
