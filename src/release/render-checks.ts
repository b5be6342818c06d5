import { labelRow, textPage } from '../report/text-page.ts';
import type { RenderOptions } from '../types/render-options.ts';
import type { VerificationCheck } from './verification.ts';

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
  const isAsked = checks.some(({ code }) => code === 'SIGNER');
  // Where the key was given, its check says what is wrong.
  const signer =
    isSignerVerified || isAsked ? '' : '; the signer is not verified: give --public-key to say who it must be';
  return textPage(options, (style) => [
    ...checks.flatMap(({ holds, message }) =>
      labelRow(holds ? 'holds' : 'BROKEN', message, style, { role: holds ? 'good' : 'bad' }),
    ),
    ...labelRow('signed by', `${fingerprint}${signer}`, style),
    ...labelRow(name, summary, style),
  ]);
}
