/** Labels of people and verdicts of a judge as CSV: so many of 100 good and of 100 bad ones right. */
export function labelsOf(right: readonly [number, number], rows = 100): string {
  const lines = ['id,human,judge'];
  for (let at = 0; at < rows; at++) {
    lines.push(
      `good ${at},pass,${at < right[0] ? 'pass' : 'fail'}`,
      `bad ${at},fail,${at < right[1] ? 'fail' : 'pass'}`,
    );
  }
  return lines.join('\n');
}
