/** What a test of a model is called in a run; a suite of one model bears its name. */
export function modelTestName(suite: string, model: string, test: string): string {
  return suite === model ? `${model}: ${test}` : `${suite}: ${model}: ${test}`;
}
