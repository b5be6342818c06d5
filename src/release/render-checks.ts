import { finishedText } from '../report/ascii-text.ts';
import { PLAIN_OPTIONS } from '../report/plain-options.ts';
import { plainText } from '../report/plain-text.ts';
import { textStyle } from '../report/text-style.ts';
import { hangPainted, hangText } from '../report/wrap-text.ts';
import { padEnd } from '../text/display-width.ts';
import type { RenderOptions } from '../types/render-options.ts';
import type { VerificationCheck } from './verification.ts';

const INDENT = 14;

/** What was looked at in a signed document, as far as its lines go. */
interface Checked {
  readonly checks: readonly VerificationCheck[];
  readonly fingerprint: string;
  readonly isSignerVerified: boolean;
}

interface CheckedWords {
  /** What the document is called. */
  readonly name: string;
  /** Whether it holds, in words. */
  readonly summary: string;
  readonly options: Partial<RenderOptions>;
}

/** The checks of a signed document, one below the other, and what follows from them. */
export function renderChecks(
  { checks, fingerprint, isSignerVerified }: Checked,
  { name, summary, options }: CheckedWords,
): string {
  const style = textStyle({ ...PLAIN_OPTIONS, ...options });
  const signer = isSignerVerified ? '' : '; the signer is not verified: give --public-key to say who it must be';
  const row = (first: string, text: string): readonly string[] =>
    hangText(padEnd(first, INDENT), plainText(text), style.columns);
  const lines = [
    ...checks.flatMap(({ holds, message }) =>
      hangPainted(padEnd(holds ? 'holds' : 'BROKEN', INDENT), plainText(message), {
        role: holds ? 'good' : 'bad',
        style,
      }),
    ),
    ...row('signed by', `${fingerprint}${signer}`),
    ...row(name, summary),
  ];
  return finishedText(`${lines.join('\n')}\n`, options.unicode ?? true);
}
