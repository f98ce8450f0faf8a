/** An error that the user can correct. Printed as one line, without a stack trace. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
