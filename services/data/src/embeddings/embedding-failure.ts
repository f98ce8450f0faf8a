/**
 * Classifies a failure to make embeddings:
 *
 * | kind | meaning |
 * |---|---|
 * | `unauthorized` | the provider rejects the credentials |
 * | `unavailable` | temporary: overloaded, down or unreachable |
 * | `refused` | the provider rejects these texts but may accept others |
 * | `unusable` | permanent for every request: wrong address, model or response format |
 */
export type EmbeddingFailureKind = 'unauthorized' | 'unavailable' | 'refused' | 'unusable'

export class EmbeddingFailure extends Error {
  override readonly name = 'EmbeddingFailure'
  readonly kind: EmbeddingFailureKind
  /** The pause that the provider asks for (Retry-After). */
  readonly retryAfterMs: number | undefined

  constructor(kind: EmbeddingFailureKind, message: string, options: { retryAfterMs?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.kind = kind
    this.retryAfterMs = options.retryAfterMs
  }
}
