/**
 * Why no embeddings were made:
 *
 * | kind | meaning |
 * |---|---|
 * | `unauthorized` | the credentials are refused |
 * | `unavailable` | not now: too busy, down, or not reached |
 * | `refused` | these texts are not taken, others may be |
 * | `unusable` | whatever is asked: the address, the model or its answers are not what they should be |
 */
export type EmbeddingFailureKind = 'unauthorized' | 'unavailable' | 'refused' | 'unusable'

export class EmbeddingFailure extends Error {
  override readonly name = 'EmbeddingFailure'
  readonly kind: EmbeddingFailureKind
  /** How long the provider wants to be left alone. */
  readonly retryAfterMs: number | undefined

  constructor(kind: EmbeddingFailureKind, message: string, options: { retryAfterMs?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.kind = kind
    this.retryAfterMs = options.retryAfterMs
  }
}
