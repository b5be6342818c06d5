import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Compile } from 'typebox/schema';
import { renderJson } from '../../src/report/render-json.ts';
import { renderReferenceJson } from '../../src/report/render-reference-json.ts';
import { reportSchema } from '../../src/report/report-schema.ts';
import type { SuiteReport } from '../../src/types/reports/report.ts';
import { aFailingScenario, aFailure, aFinding, aLoadError, anIdleScenario, aReport, aScenario } from './a-report.ts';

const full: SuiteReport = aReport({
  scenarios: [
    aScenario(),
    aFailingScenario({
      at: { file: 'corpus/reliability/classify.toml', line: 31, column: 13 },
      failures: [aFailure({ findings: [aFinding({ at: 'route', expected: { z: 1, a: [null] } })] })],
    }),
    aLoadError(),
    anIdleScenario(),
  ],
  notices: [{ code: 'unset', severity: 'warning', message: 'HOME reads as unset.' }],
  gate: {
    verdict: 'fail',
    minPassRate: 0.5,
    reasons: ['classify: pass rate 0.63 is below its bar 0.95.'],
    violations: [{ scenario: 'corpus/broken.toml', passRate: null, required: 0.5 }],
    expressions: [],
  },
});

describe('the JSON report', () => {
  test('is the report', () => {
    expect(JSON.parse(renderJson(full, { timing: true }))).toEqual(full);
  });

  test('leaves out clocks, workers and host on request', () => {
    const { timing: _, ...lasting } = full;
    expect(JSON.parse(renderJson(full, { timing: false }))).toEqual(lasting);
  });

  test('has the same bytes for the same value, whatever order its keys came in', () => {
    const bytes = renderJson(full, { timing: true });
    expect(renderJson(reversed(full), { timing: true })).toBe(bytes);
    expect(bytes.startsWith('{\n  "schema": "passk-report/3",\n  "passk": "0.1.0",\n  "seed": 0,\n')).toBe(true);
    expect(bytes.endsWith('}\n')).toBe(true);
  });

  test('keeps the keys of free values and takes __proto__ for a key like any other', () => {
    const strange = JSON.parse('{"z": 1, "__proto__": {"a": 2}}');
    const reasons = JSON.parse('{"__proto__": "odd", "passRate": "not_run"}');
    const failures = [aFailure({ findings: [aFinding({ got: strange })] })];
    const text = renderJson(aReport({ scenarios: [aScenario({}, { failures, reasons })] }), { timing: false });
    expect(text).toMatch(/"z": 1,\s+"__proto__": \{/);
    expect(text).toMatch(/"__proto__": "odd",\s+"passRate": "not_run"/);
  });

  test('escapes what could act on a terminal without changing the value', () => {
    const name = 'a\u009b2J\u202eb\u2028\u0007\u007f';
    const text = renderJson(aReport({ scenarios: [aScenario({}, { name })] }), { timing: false });
    expect(text).toContain(String.raw`"name": "a\u009b2J\u202eb\u2028\u0007\u007f"`);
    expect(JSON.parse(text).scenarios[0].name).toBe(name);
  });
});

describe('the schema', () => {
  const schema = Compile(reportSchema);

  test('describes every report', () => {
    const value = JSON.parse(renderJson(full, { timing: true }));
    expect(schema.Errors(value)[1]).toEqual([]);
    expect(schema.Check(value)).toBe(true);
    expect(schema.Check(JSON.parse(renderJson(full, { timing: false })))).toBe(true);
  });

  test('refuses other versions, missing and unknown keys', () => {
    const { seed: _, ...seedless } = full;
    expect(schema.Check({ ...full, schema: 'passk-report/0' })).toBe(false);
    expect(schema.Check(seedless)).toBe(false);
    expect(schema.Check({ ...full, more: 1 })).toBe(false);
    expect(schema.Check({ ...full, summary: { ...full.summary, meanPassRate: 1.5 } })).toBe(false);
  });
});

describe('the reference JSON', () => {
  test('is the shape of agentd-conformance, number for number, floats as floats', () => {
    const failing = aFailingScenario({ minPassRate: 0.6, verdict: 'passed' });
    expect(renderReferenceJson(aReport({ scenarios: [aScenario(), failing] }))).toMatchInlineSnapshot(`
      "{
        "scenarios": [
          {
            "capabilities": [
              "llm_infer",
              "switch"
            ],
            "cost": {
              "llm_calls": 1,
              "llm_tokens": 128,
              "node_executions": 3,
              "policy_denials": 0
            },
            "cost_per_success_tokens": 128.0,
            "failures": [],
            "load_error": null,
            "min_pass_rate": null,
            "name": "llm-route",
            "pass_k": 1.0,
            "pass_rate": 1.0,
            "passed": true,
            "passed_trials": 8,
            "total_latency_ms": 0,
            "trials": 8
          },
          {
            "capabilities": [
              "llm_infer",
              "switch"
            ],
            "cost": {
              "llm_calls": 1,
              "llm_tokens": 100,
              "node_executions": 3,
              "policy_denials": 0
            },
            "cost_per_success_tokens": 160.0,
            "failures": [
              "trial 1: last_node: expected done_alpha, got route"
            ],
            "load_error": null,
            "min_pass_rate": 0.6,
            "name": "classify",
            "pass_k": 0.0,
            "pass_rate": 0.625,
            "passed": true,
            "passed_trials": 5,
            "total_latency_ms": 0,
            "trials": 8
          }
        ],
        "summary": {
          "cost_per_success_tokens": 140.30769230769232,
          "coverage": {
            "covered": 2,
            "fraction": 0.05405405405405406,
            "total": 37,
            "uncovered": [
              "condition",
              "merge",
              "fail",
              "pause_for_approval",
              "terminate",
              "respond",
              "parse_json",
              "json_select",
              "template_render",
              "diff_compute",
              "read_file",
              "write_file",
              "create_dir",
              "read_env",
              "http_request",
              "shell_run",
              "call",
              "parallel",
              "map",
              "call_mcp_tool",
              "read_mcp_resource",
              "agent_loop",
              "trigger_manual",
              "trigger_http",
              "trigger_event",
              "trigger_cron",
              "trigger_fs_watch",
              "policy_fs",
              "policy_env",
              "policy_http",
              "policy_shell",
              "policy_mcp",
              "reliability_passk",
              "security_injection",
              "fault_tolerance"
            ],
            "unknown_tags": []
          },
          "failed": 0,
          "mean_pass_k": 0.5,
          "passed": 2,
          "scenarios": 2,
          "total_llm_calls": 2,
          "total_llm_tokens": 228,
          "total_passed_trials": 13,
          "total_trial_tokens": 1824
        }
      }
      "
    `);
  });

  test('counts files that did not load as failed with rate 0 and names the problem', () => {
    const { summary, scenarios } = JSON.parse(renderReferenceJson(aReport({ scenarios: [aLoadError()] })));
    expect([summary.passed, summary.failed, summary.mean_pass_k, summary.cost_per_success_tokens]).toEqual([
      0,
      1,
      0,
      null,
    ]);
    expect(scenarios).toEqual([
      {
        name: 'corpus/broken.toml',
        capabilities: [],
        trials: 1,
        passed_trials: 0,
        pass_k: 0,
        pass_rate: 0,
        min_pass_rate: null,
        passed: false,
        cost: { llm_calls: 0, llm_tokens: 0, node_executions: 0, policy_denials: 0 },
        cost_per_success_tokens: null,
        total_latency_ms: 0,
        load_error: 'Unknown key "statuz" in [expected].',
        failures: [],
      },
    ]);
  });

  test('is valid JSON for any name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const report = aReport({ scenarios: [aScenario({}, { name })] });
        expect(JSON.parse(renderReferenceJson(report)).scenarios[0].name).toBe(name);
      }),
    );
  });
});

/** The same value with every object's keys in reverse, free values aside. */
function reversed<T>(value: T): T {
  if (Array.isArray(value)) return value.map(reversed) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [
    key,
    key === 'expected' || key === 'got' ? item : reversed(item),
  ]);
  return Object.fromEntries(entries.reverse()) as T;
}
