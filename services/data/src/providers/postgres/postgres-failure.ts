import type { JobFailure } from '@wp/jobs'
import { OutboundError, PostgresError } from '@wp/outbound'
import { crawlFailure, outboundFailure } from '../crawl-failure.ts'
import { describePosition } from './cursor-statement.ts'

/** The statement that failed. */
export interface StatementContext {
  query: string
  timeoutSeconds: number
  durationMs: number
  /** Leaves out messages that may quote values of rows. */
  hidesValues: boolean
}

/** Classifies an error of a session: SQLSTATE codes (PostgreSQL, appendix A) and errors of the guarded client. */
export function toCrawlFailure(error: unknown, statement: StatementContext): unknown {
  if (error instanceof OutboundError) return outboundFailure(error)
  return error instanceof PostgresError ? serverErrorFailure(error, statement) : error
}

function serverErrorFailure(
  thrown: PostgresError,
  { query, timeoutSeconds, durationMs, hidesValues }: StatementContext,
): JobFailure {
  const error = hidesValues && !quotesNoValues.test(thrown.code) ? withoutMessage(thrown) : thrown
  const { code, position } = error
  const message = `${error.message}${describePosition(query, position)}`
  if (code.startsWith('28')) return crawlFailure('auth', message, error)
  if (code === '42501') return crawlFailure('auth', message, error)
  // Timeout and cancellation share a code, and the message is in the language of the server.
  if (code === '57014' && durationMs >= timeoutSeconds * 1_000)
    return crawlFailure('config', `The query took longer than ${timeoutSeconds} s (statement_timeout_seconds)`, error)
  if (undefinedObjectCodes.has(code)) return crawlFailure('schema', message, error)
  return crawlFailure(transientCodes.test(code) ? 'transient' : 'config', message, error)
}

/** Classes of connection, authorization, schema, syntax, resource and operator errors: they quote the query alone. */
const quotesNoValues = /^(?:08|28|3D|3F|42|53|57)/

/** Returns an error without message, detail and position, none of which may be logged. */
const withoutMessage = ({ code }: PostgresError): PostgresError =>
  new PostgresError(
    `The server reported an error (SQLSTATE ${code}). Its message is not shown, because it may quote values that the data source protects`,
    code,
  )

/** undefined_table, undefined_column, invalid_schema_name. */
const undefinedObjectCodes = new Set(['42P01', '42703', '3F000'])

/**
 * Classes of connection, transaction rollback, resource, operator, system and internal errors; lock_not_available; idle
 * and transaction timeouts.
 */
const transientCodes = /^(?:08(?!P01)|40|53|57|58|XX)|^55P03$|^25P0[34]$/
