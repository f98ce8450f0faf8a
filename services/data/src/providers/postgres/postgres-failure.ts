import type { JobFailure } from '@wp/jobs'
import { OutboundError } from '@wp/outbound'
import { DatabaseError } from 'pg'
import { z } from 'zod'
import { crawlFailure, outboundFailure } from '../crawl-failure.ts'
import { describePosition } from './cursor-statement.ts'

/** The statement that failed. */
export interface StatementContext {
  query: string
  timeoutSeconds: number
  durationMs: number
}

/** Classifies an error of a session: SQLSTATE codes (PostgreSQL, appendix A) and connection errors of Node. */
export function toCrawlFailure(error: unknown, statement: StatementContext): JobFailure {
  if (error instanceof OutboundError) return outboundFailure(error)
  if (error instanceof DatabaseError) return serverErrorFailure(error, statement)
  const { code, message } = errorFields(error)
  if (/password/i.test(message)) return crawlFailure('auth', 'The server asks for a password', error)
  if (/does not support SSL/i.test(message)) return crawlFailure('config', 'The server does not speak TLS', error)
  if (/CERT|TLS|SSL|SIGNATURE|SELF_SIGNED/.test(code))
    return crawlFailure('config', `No trusted TLS connection to the server: ${message}`, error)
  return crawlFailure('transient', `The connection to the server was lost: ${message}`, error)
}

function serverErrorFailure(error: DatabaseError, { query, timeoutSeconds, durationMs }: StatementContext): JobFailure {
  const { code = '', position } = error
  const message = `${error.message}${describePosition(query, position)}`
  if (code.startsWith('28')) return crawlFailure('auth', message, error)
  if (code === '42501') return crawlFailure('auth', message, error)
  // Timeout and cancellation share a code, and the message is in the language of the server.
  if (code === '57014' && durationMs >= timeoutSeconds * 1_000)
    return crawlFailure('config', `The query took longer than ${timeoutSeconds} s (statement_timeout_seconds)`, error)
  if (undefinedObjectCodes.has(code)) return crawlFailure('schema', message, error)
  return crawlFailure(transientCodes.test(code) ? 'transient' : 'config', message, error)
}

/** undefined_table, undefined_column, invalid_schema_name. */
const undefinedObjectCodes = new Set(['42P01', '42703', '3F000'])

/**
 * Classes of connection, transaction rollback, resource, operator, system and internal errors; lock_not_available; idle
 * and transaction timeouts.
 */
const transientCodes = /^(?:08(?!P01)|40|53|57|58|XX)|^55P03$|^25P0[34]$/

const ErrorFields = z.object({ code: z.string().catch(''), message: z.string().catch('unknown') })

/** Returns code and message of an error of the client or of Node. */
const errorFields = (error: unknown) => ErrorFields.catch({ code: '', message: String(error) }).parse(error)
