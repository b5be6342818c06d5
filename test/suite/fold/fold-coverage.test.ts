import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CoveredScenario, coverage } from '../../../src/suite/fold/fold-coverage.ts';
import { CAPABILITIES } from '../../../src/types/capability.ts';

const MATRIX: readonly string[] = CAPABILITIES;

function aScenario(parts: Partial<CoveredScenario> = {}): CoveredScenario {
  return { capabilities: [], observed: [], verdict: 'passed', ...parts };
}

test('counts what was seen, and keeps claims, gaps and unknown tags apart', () => {
  const report = coverage([
    aScenario({ capabilities: ['template_render', 'condition', 'policy_fs'], observed: ['policy_fs', 'condition'] }),
    aScenario({ capabilities: ['zeta', 'switch', 'alpha'], observed: ['merge'], verdict: 'failed' }),
    aScenario({ capabilities: ['alpha', 'Zeta', 'map'], verdict: 'load_error' }),
  ]);
  const observed = ['condition', 'merge', 'policy_fs'];
  expect(report).toEqual({
    total: 37,
    observed,
    claimed: ['template_render'],
    uncovered: MATRIX.filter((id) => !observed.includes(id)),
    unknown: ['Zeta', 'alpha', 'zeta'],
    fraction: 3 / 37,
    byTags: ['condition', 'policy_fs', 'template_render'],
  });
});

test('an empty suite covers nothing', () => {
  expect(coverage([])).toEqual({
    total: 37,
    observed: [],
    claimed: [],
    uncovered: MATRIX,
    unknown: [],
    fraction: 0,
    byTags: [],
  });
});

// workflow-engine.md, section 8: what the reference reports for its own corpus.
test('tags of the reference’s corpus cover what the reference says they cover', () => {
  const untagged = [
    ...['pause_for_approval', 'read_file', 'create_dir', 'shell_run', 'call', 'parallel', 'call_mcp_tool'],
    ...['read_mcp_resource', 'agent_loop', 'trigger_http', 'trigger_event', 'trigger_cron', 'trigger_fs_watch'],
    ...['policy_env', 'policy_shell', 'policy_mcp'],
  ];
  const { byTags, total } = coverage([aScenario({ capabilities: MATRIX.filter((id) => !untagged.includes(id)) })]);
  expect([byTags.length, total, ((100 * byTags.length) / total).toFixed(2)]).toEqual([21, 37, '56.76']);
});

test('every capability is either observed or uncovered, whatever the order of scenarios', () => {
  const ids = fc.subarray([...MATRIX.slice(0, 6), 'outside']);
  const anyScenario = fc.record({
    capabilities: ids,
    observed: ids,
    verdict: fc.constantFrom('passed' as const, 'failed' as const, 'load_error' as const),
  });
  fc.assert(
    fc.property(fc.array(anyScenario, { maxLength: 5 }), (scenarios) => {
      const report = coverage(scenarios);
      expect(coverage(scenarios.toReversed())).toEqual(report);
      expect([...report.observed, ...report.uncovered].sort()).toEqual(MATRIX.toSorted());
      expect(report.claimed.filter((id) => !report.uncovered.includes(id) || !report.byTags.includes(id))).toEqual([]);
    }),
  );
});
