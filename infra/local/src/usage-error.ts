/** Something its caller can put right: one line, no stack. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
