/** A case of a test run as DeepEval writes it. */
export function testCase(told: Readonly<Record<string, unknown>> = {}) {
  return {
    name: 'add',
    input: '2+2',
    actualOutput: '4',
    expectedOutput: '4',
    retrievalContext: ['Sums are numbers.'],
    toolsCalled: [{ name: 'calc', type: 'FUNCTION', output: 4, inputParameters: { a: 2 } }],
    expectedTools: [{ name: 'calc', type: 'FUNCTION', inputParameters: { a: 2 } }],
    tokenCost: 0.01,
    completionTime: 0.5,
    success: true,
    metricsData: [metric()],
    runDuration: 0.04,
    evaluationCost: 0.001,
    order: 0,
    ...told,
  };
}

export function metric(told: Readonly<Record<string, unknown>> = {}) {
  return { name: 'Exact', threshold: 1, success: true, score: 1, reason: 'same', evaluationModel: 'judge-1', ...told };
}

export function testRun(cases: readonly unknown[], conversational: readonly unknown[] = []): string {
  return JSON.stringify({
    testCases: cases,
    conversationalTestCases: conversational,
    metricsScores: [],
    testPassed: 1,
  });
}
