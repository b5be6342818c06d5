import { expect, test } from 'vitest';
import { renderTrace, traceLines, type TracedTrial } from '../../src/report/render-trace.ts';
import type { TraceEvent, TracePlace } from '../../src/types/trace.ts';
import type { Outcome } from '../../src/types/trial.ts';
import { counters } from './a-report.ts';
import { brokenRecord } from '../../src/trial/record/record-trial.ts';

function at(node: string, overrides: Partial<TracePlace> = {}): TracePlace {
  return { walk: '', node, visit: 1, attempt: 1, atUs: 0, ...overrides };
}

const outcome: Outcome = {
  status: 'errored',
  stoppedBy: 'denial',
  lastNode: 'save',
  path: ['classify', 'save'],
  reason: 'policy violation: write_file denied on /etc/passwd',
  category: 'policy',
  finalValue: null,
  response: null,
  counters: counters({ llmCalls: 2, llmTokens: 160, nodeExecutions: 2, policyDenials: 1 }),
  elapsedUs: 100_000,
};

const events: readonly TraceEvent[] = [
  { ...at('classify'), kind: 'visit', type: 'llm_infer', inputs: [{ text: 'hello' }, undefined] },
  {
    ...at('classify'),
    kind: 'request',
    port: 'model',
    request: {
      backend: 'default',
      messages: [{ role: 'user', parts: [{ kind: 'text', text: 'Is this spam? hello' }] }],
      repair: false,
    },
  },
  {
    ...at('classify'),
    kind: 'reply',
    port: 'model',
    reply: {
      kind: 'model',
      parts: [{ kind: 'text', text: '{"to": "/etc/passwd"}' }],
      finish: 'stop',
      usage: { promptTokens: 70, completionTokens: 10 },
    },
    source: 'turn',
  },
  { ...at('classify'), kind: 'retry', waitUs: 100_000, message: 'intelligence call failed: busy' },
  { ...at('classify'), kind: 'output', output: { parsed: { to: '/etc/passwd' } }, branch: 'ok' },
  { ...at('classify'), kind: 'edge', to: 'save', when: 'ok' },
  { ...at('save', { walk: 'each[0]', visit: 2 }), kind: 'visit', type: 'write_file', inputs: [] },
  {
    ...at('save', { walk: 'each[0]' }),
    kind: 'request',
    port: 'file',
    request: { port: 'file', op: 'write', path: '/etc/passwd', content: 'x' },
  },
  {
    ...at('save', { walk: 'each[0]' }),
    kind: 'denial',
    port: 'file',
    message: 'write_file denied on /etc/passwd',
    fromModel: true,
  },
  { ...at('save'), kind: 'error', category: 'policy', message: 'policy violation: write_file denied on /etc/passwd' },
  { kind: 'end', walk: '', outcome },
];

const traced = {
  scenario: { name: 'spam' },
  record: brokenRecord(41, 'It is not shown.'),
  result: {
    trial: 41,
    verdict: 'failed',
    outcome,
    findings: [
      {
        check: 'status',
        verdict: 'fail',
        expected: 'completed',
        got: 'errored',
        message: 'status: expected completed, got errored',
      },
    ],
    brokenBy: null,
  },
  trace: { version: 2, scenario: 'spam', trial: 41, events },
} satisfies TracedTrial;

test('shows a trial step by step, then how it ended and what failed', () => {
  expect(renderTrace(traced)).toMatchInlineSnapshot(`
    "spam, trial 41: failed

      classify  llm_infer
        reads     {"text": "hello"}
        reads     nothing: the path leads nowhere
        asks      model: default
        user      Is this spam? hello
        gets      {"to": "/etc/passwd"} (turn, 70 + 10 tokens)
        retries   after 100 ms: intelligence call failed: busy
        gives     {"parsed": {"to": "/etc/passwd"}}
        branch    ok
        then      save

        save  write_file (visit 2)
          asks      file: write /etc/passwd
          denied    write_file denied on /etc/passwd (the target came from the
                    model)
        error     policy violation: write_file denied on /etc/passwd

      ended     errored at save, stopped by denial: policy violation: write_file
                denied on /etc/passwd
      cost      2 nodes · 2 model calls · 160 tokens · 1 denial · 100 ms of virtual
                time

      status: expected completed, got errored
    "
  `);
});

test('says why an agent gave no answer', () => {
  const ending = {
    status: 'errored',
    stoppedBy: 'error',
    reason: 'It gave no answer: HTTP 500',
    category: null,
  } as const;
  const text = renderTrace({ ...traced, trace: null, record: { ...traced.record, ending } });
  expect(text).toContain('  ended     errored: It gave no answer: HTTP 500\n');
});

test('cuts long values unless it is verbose', () => {
  const long: TracedTrial = {
    ...traced,
    trace: { ...traced.trace, events: [{ ...at('a'), kind: 'output', output: 'x'.repeat(1000), branch: null }] },
  };
  expect(renderTrace(long)).toContain('…');
  expect(renderTrace(long, { verbose: true }).replaceAll(/\s/g, '')).toContain('x'.repeat(1000));
});

test('makes control characters of a model visible instead of letting them through', () => {
  const hostile: TracedTrial = {
    ...traced,
    trace: {
      ...traced.trace,
      events: [{ ...at('a'), kind: 'error', category: 'tool', message: '\u001b[2J gone' }],
    },
  };
  expect(renderTrace(hostile)).toContain('\\u{1b}[2J gone');
});

/** A loop of so many visits. */
function aLongTrace(visits: number): TracedTrial {
  const steps = Array.from({ length: visits }, (_, index): TraceEvent => {
    return { ...at('round', { visit: index + 1 }), kind: 'visit', type: 'merge', inputs: [] };
  });
  return { ...traced, trace: { ...traced.trace, events: [...steps, { kind: 'end', walk: '', outcome }] } };
}

test('of a long trial the first 2,000 visits are shown, the rest is counted, and the end is there', () => {
  const text = renderTrace(aLongTrace(2500));
  expect(text.match(/^ {2}round/gm)).toHaveLength(2000);
  expect(text).toContain('… 500 more visits, not shown: --verbose shows all of them, and --json everything.');
  expect(text).toContain('ended     errored');
  expect(renderTrace(aLongTrace(2000))).not.toContain('not shown');
});

test('a line of a trace costs the same however long the trace is', { timeout: 60_000 }, () => {
  // Work that grows with the square of it would take minutes.
  let lines = 0;
  for (const _ of traceLines(aLongTrace(200_000), { verbose: true })) lines++;
  expect(lines).toBeGreaterThan(400_000);
});

test('large integers are shown digit by digit', () => {
  const output: TraceEvent = { ...at('n'), kind: 'output', output: { id: 2n ** 63n }, branch: null };
  const text = renderTrace({ ...traced, trace: { ...traced.trace, events: [output] } });
  expect(text).toContain('gives     {"id": 9223372036854775808}');
});
