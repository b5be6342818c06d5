/** The word of the error class: under replay a trial asked for what was never recorded. */
export const REPLAY_MISS = 'replay_miss';

/** Why a trial is broken that asked for what was never recorded; `what` is a sentence. */
export function replayMiss(what: string): string {
  return `${REPLAY_MISS}: ${what}`;
}

/** True: the cause of a broken trial is a miss of a replay. */
export function isReplayMiss(cause: string): boolean {
  return cause.startsWith(`${REPLAY_MISS}: `);
}

/** Why a trial is broken, without the word of its error class where it is a miss. */
export function withoutWord(cause: string): string {
  return isReplayMiss(cause) ? cause.slice(REPLAY_MISS.length + 2) : cause;
}
