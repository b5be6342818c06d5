import { MOST_OUTPUT, type ProgramEnd } from '../effects/granted/run-program.ts';
import { TextTail } from '../effects/granted/text-tail.ts';

/** Why what a program printed is nothing to go by: it was ended, or a part of it lives on; null: it ended by itself. */
export function cutText({ cut, isGone }: Pick<ProgramEnd, 'cut' | 'isGone'>): string | null {
  if (!isGone) return 'a process that it started cannot be ended';
  if (cut === 'output') return `it printed more than ${MOST_OUTPUT} bytes`;
  return cut === null ? null : 'it did not end, and was ended';
}

/** How a program ended that did not end well, with the end of what it wrote on standard error. */
export function endText(
  { exitCode, signal, stderr }: Pick<ProgramEnd, 'exitCode' | 'signal' | 'stderr'>,
  scrub: (text: string) => string,
): string {
  const tail = new TextTail();
  tail.add(stderr);
  const last = tail.text(scrub);
  const end = signal === null ? `it ended with exit code ${exitCode}` : `it was ended by signal ${signal}`;
  return last === '' ? end : `${end}: ${last}`;
}
