/** What one request of the `http` effect may take; redirects included. */
export interface HttpLimits {
  readonly requestBodyBytes: number;
  readonly requestHeaderBytes: number;
  readonly responseHeaderBytes: number;
  /** After decompression; what came over the wire may not be more either. */
  readonly responseBodyBytes: number;
  readonly redirects: number;
  /** Real time from the first look-up to the last byte. */
  readonly timeoutMs: number;
}

export const HTTP_LIMITS: HttpLimits = Object.freeze({
  requestBodyBytes: 1 << 20,
  requestHeaderBytes: 64 << 10,
  responseHeaderBytes: 64 << 10,
  responseBodyBytes: 1 << 20,
  redirects: 5,
  timeoutMs: 30_000,
});
