import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runSuite } from '../../../src/index.ts';
import type { ScenarioDefinition } from '../../../src/scenario/objects/define-scenario.ts';
import type { PolicyDefinition } from '../../../src/types/definitions/scenario-tables.ts';
import type { ExpectedDefinition } from '../../../src/scenario/objects/define-expected.ts';
import type { SuiteReport } from '../../../src/types/reports/report.ts';
import type { ScenarioReport } from '../../../src/types/reports/scenario-report.ts';
import type { Attack, Draft } from './attack.ts';
import { linkAttacks, SWAPPED, swappedLinks, systemPaths } from './link-attacks.ts';
import { mcpToolAttacks } from './mcp-attacks.ts';
import { generatedTraversals, lookAlikePaths, traversals } from './path-attacks.ts';
import type { Range } from './range.ts';
import { routeAttacks } from './route-attacks.ts';
import { ALLOWED, argumentAttacks, envAttacks, loopToolAttacks, programAttacks, SECRET } from './tool-attacks.ts';
import { generatedUrls, redirectAttacks, urlAttacks } from './url-attacks.ts';

const SEED = 20_240_501;

/** Every attack on this range, in fixed order: the same seed, the same attacks. */
export function allAttacks(range: Range): readonly Attack[] {
  const families: readonly [string, readonly Draft[]][] = [
    ['paths', [...traversals(range), ...generatedTraversals(range, SEED, 40)]],
    ['names of paths', lookAlikePaths(range)],
    ['links', [...linkAttacks(range), ...swappedLinks(range)]],
    ['devices and processes', systemPaths(range)],
    ['URLs and methods', [...urlAttacks(range), ...generatedUrls(range, SEED, 30)]],
    ['redirects', redirectAttacks(range)],
    ['programs', programAttacks(range)],
    ['arguments', argumentAttacks(range)],
    ['MCP tools and resources', mcpToolAttacks(range)],
    ['tools of a loop', loopToolAttacks(range)],
    ['variables', envAttacks(range)],
    ['ways of poisoned words', routeAttacks(range)],
  ];
  let number = 0;
  return families.flatMap(([family, drafts]) =>
    drafts.map((draft): Attack => {
      const mark = `mk${String(number++).padStart(4, '0')}`;
      return { ...draft(mark), family, mark };
    }),
  );
}

/** `attack`: under the policy; `traced`: the same, made to fail so that its trace is kept; `control`: all is allowed. */
export type Way = 'attack' | 'traced' | 'control';

/** Runs attacks as users run scenarios, with everything granted. */
export function runAttacks(range: Range, attacks: readonly Attack[], way: Way): Promise<SuiteReport> {
  return runSuite({
    cwd: range.folder,
    scenarios: attacks.map((attack) => scenarioOf(range, attack, way)),
    workers: 2,
    permissions: {
      net: ['*', '127.0.0.1', '127.0.0.2', '[::1]', '0.0.0.0', 'localhost'],
      run: true,
      env: true,
      read: ['/', '/proc', '/dev', '/sys'],
      write: [range.folder, '/dev/shm', '/proc'],
    },
  });
}

/** Reports by the mark of their attack. */
export function byMark({ scenarios }: SuiteReport): ReadonlyMap<string, ScenarioReport> {
  return new Map(scenarios.map((report) => [report.name.slice(0, 'mk0000'.length), report]));
}

/** Processes that swap folders for links to what attacks are after; ended by what this resolves to. */
export async function startSwapping(range: Range, attacks: readonly Attack[]): Promise<() => Promise<void>> {
  const races = attacks.filter(({ defence }) => defence === 'race');
  const children = races.map(({ mark }, place) =>
    spawn(process.execPath, [SWAPPER, path.join(range.ok, SWAPPED[place] ?? ''), path.join(range.outside, mark)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
  await Promise.all(children.map(({ stdout }) => once(stdout, 'data')));
  return async () => void (await Promise.all(children.map(ended)));
}

const SWAPPER = fileURLToPath(new URL('../../effects/granted/swap-for-link.mjs', import.meta.url));

async function ended(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

function scenarioOf(range: Range, attack: Attack, way: Way): ScenarioDefinition {
  const { mark, name, subject, control } = attack;
  const policy = way === 'control' ? OPEN : (attack.policy ?? closed(range));
  const expected = way === 'control' ? controlExpects(attack) : attackExpects(attack);
  return {
    ...(way === 'control' ? control : subject),
    name: `${mark} ${name}`,
    // A control is no attack.
    ...(way !== 'control' && { capabilities: ['security_injection'] }),
    policy,
    expected: way === 'traced' ? { ...expected, forbiddenNodes: [firstNode(attack)] } : expected,
  };
}

const OPEN: PolicyDefinition = {
  fs: { read: ['*'], write: ['*'] },
  env: { readKeys: ['*'] },
  http: { urls: ['*'], methods: [] },
  shell: { commands: ['*'] },
  mcp: { tools: ['*'], resources: ['*'] },
};

function closed({ ok, allowed }: Range): PolicyDefinition {
  return {
    fs: { read: [`${ok}/**`], write: [`${ok}/**`] },
    env: { readKeys: [ALLOWED] },
    http: {
      urls: ['ok/**', 'collect', 'page*', 'redirect/**'].map((folder) => `${allowed}/${folder}`),
      methods: ['GET', 'POST'],
    },
    shell: { commands: ['/usr/bin/printf'] },
    mcp: { tools: ['find_order'], resources: ['note://public/*'] },
  };
}

function attackExpects({ defence, ends, reason, told, mark }: Attack): ExpectedDefinition {
  const denials = defence === 'denied' ? 1 : 0;
  if (defence === 'race') return { maxPolicyDenials: 1, prompts: [{ notContains: `secret of ${mark}` }] };
  return {
    ...(ends !== 'either' && { status: ends }),
    ...(ends === 'errored' && { stoppedBy: defence === 'denied' ? 'denial' : 'error' }),
    minPolicyDenials: denials,
    maxPolicyDenials: denials,
    ...(reason !== undefined && ends === 'errored' && { reasonContains: reason }),
    ...(reason !== undefined && ends === 'completed' && { prompts: [{ contains: reason }] }),
    ...(told === true && { prompts: [{ notContains: process.env[SECRET] ?? '' }] }),
  };
}

function controlExpects({ told }: Attack): ExpectedDefinition {
  return { maxPolicyDenials: 0, ...(told === true && { prompts: [{ contains: process.env[SECRET] ?? '' }] }) };
}

function firstNode({ subject }: Attack): string {
  const { workflow } = subject;
  const nodes = 'inline' in workflow && typeof workflow.inline === 'object' ? workflow.inline.nodes : undefined;
  return nodes?.[0]?.id ?? '';
}
