/** A row of promptfoo's results, version 3. */
export function row(told: Readonly<Record<string, unknown>> = {}) {
  return {
    cost: 0.002,
    gradingResult: {
      pass: true,
      score: 1,
      reason: 'All assertions passed',
      namedScores: { polite: 1 },
      componentResults: [
        {
          pass: true,
          score: 1,
          reason: 'Assertion passed',
          assertion: { type: 'contains', value: 'hello', metric: 'polite' },
        },
      ],
    },
    id: 'row-1',
    latencyMs: 120,
    namedScores: { polite: 1 },
    prompt: { raw: 'Say hello', label: 'Say {{word}}' },
    promptId: 'p1',
    promptIdx: 0,
    provider: { id: 'openai:gpt-x', label: '' },
    response: {
      output: 'hello',
      cached: false,
      tokenUsage: { total: 12, prompt: 10, completion: 2, numRequests: 1, completionDetails: { reasoning: 1 } },
    },
    score: 1,
    success: true,
    testCase: {
      vars: { word: 'hello' },
      assert: [{ type: 'contains', value: 'hello', metric: 'polite' }],
      metadata: {},
    },
    testIdx: 0,
    vars: { word: 'hello' },
    failureReason: 0,
    ...told,
  };
}

export function evaluation(rows: readonly unknown[]): string {
  const results = { version: 3, timestamp: '2026-03-02T10:00:00Z', prompts: [], results: rows, stats: {} };
  return JSON.stringify({ evalId: 'eval-1', results, config: {}, shareableUrl: null });
}
