import { ApiError } from '@wp/client'
import { UsageError } from './usage-error.ts'

/** An expected error that ends the demo. Printed as one line. */
export class DemoError extends Error {
  override readonly name = 'DemoFailure'
}

/** Formats an expected error as one line, and any other with its stack trace. */
export function describeError(error: unknown): string {
  if (error instanceof ApiError) {
    const fields = error.errors.map(({ pointer, detail }) => ` ${pointer} ${detail}`).join(';')
    return `the platform answered ${error.status} ${error.code}: ${error.message}${fields} (request ${error.requestId})`
  }
  if (error instanceof DemoError || error instanceof UsageError) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
