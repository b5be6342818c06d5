/** One thing that was looked at in a document that somebody signed. */
export interface VerificationCheck {
  /** In capitals, for programs. */
  readonly code:
    | 'BODY_HASH'
    | 'SIGNATURE'
    | 'SIGNER'
    | 'ANCHOR'
    | 'LOG'
    | 'TRIALS'
    | 'METRICS'
    | 'EXPIRY'
    | 'FILES'
    | 'WORKFLOW'
    | 'POLICY'
    | 'MODELS';
  readonly holds: boolean;
  readonly message: string;
}
