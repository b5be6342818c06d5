/** More tokens than any answer takes. Sums of more could leave what a number holds exactly, and end the run for all others. */
const MOST = 2 ** 32 - 1;

/** True for what somebody outside says that they counted: a whole number from 0, and none that nobody can have counted. */
export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MOST;
}
