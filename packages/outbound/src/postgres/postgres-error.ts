import { OutboundError } from '../error.ts'
import type { ErrorMessage } from './child-messages.ts'

/** An error that a PostgreSQL server reported. */
export class PostgresError extends Error {
  override readonly name = 'PostgresError'
  /** SQLSTATE (PostgreSQL, appendix A). */
  readonly code: string
  /** Position in the text of the statement, from 1. */
  readonly position: string | undefined

  constructor(message: string, code: string, position?: string) {
    super(message)
    this.code = code
    this.position = position
  }
}

/** Converts the error of a child process to the one to throw. */
export function fromErrorMessage({ kind, message, code, position }: ErrorMessage): PostgresError | OutboundError {
  return kind === 'server'
    ? new PostgresError(message, code ?? '', position)
    : new OutboundError(kind, message, { code })
}
