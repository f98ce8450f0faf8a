import type { JobFailure } from '@wp/jobs'
import { OutboundError } from '@wp/outbound'
import { DatabaseError } from 'pg'
import { z } from 'zod'
import { crawlFailure, outboundFailure } from '../crawl-failure.ts'
import { describePosition } from './cursor-statement.ts'

/** What is known of the statement that failed. */
export interface StatementContext {
  query: string
  timeoutSeconds: number
  durationMs: number
}

/** What a conversation with a server failed at: PostgreSQL, appendix A, and what Node says of a connection. */
export function toCrawlFailure(error: unknown, asked: StatementContext): JobFailure {
  if (error instanceof OutboundError) return outboundFailure(error)
  if (error instanceof DatabaseError) return serverErrorFailure(error, asked)
  const { code, message } = errorFields(error)
  if (/password/i.test(message)) return crawlFailure('auth', 'The server asks for a password', error)
  if (/does not support SSL/i.test(message)) return crawlFailure('config', 'The server does not speak TLS', error)
  if (/CERT|TLS|SSL|SIGNATURE|SELF_SIGNED/.test(code))
    return crawlFailure('config', `No trusted TLS connection to the server: ${message}`, error)
  return crawlFailure('transient', `The connection to the server was lost: ${message}`, error)
}

function serverErrorFailure(error: DatabaseError, { query, timeoutSeconds, durationMs }: StatementContext): JobFailure {
  const { code = '', position } = error
  const said = `${error.message}${describePosition(query, position)}`
  if (code.startsWith('28')) return crawlFailure('auth', said, error)
  if (code === '42501') return crawlFailure('auth', said, error)
  // A timeout and a cancellation have one code, and their words are in the server's language.
  if (code === '57014' && durationMs >= timeoutSeconds * 1_000)
    return crawlFailure('config', `The query took longer than ${timeoutSeconds} s (statement_timeout_seconds)`, error)
  if (undefinedObjectCodes.has(code)) return crawlFailure('schema', said, error)
  return crawlFailure(transientCodes.test(code) ? 'transient' : 'config', said, error)
}

/** What a query names is not there: a table, a column, a schema. */
const undefinedObjectCodes = new Set(['42P01', '42703', '3F000'])

/** Connections, serialization, resources, operators, the system, internals; and a lock that was not to be had. */
const transientCodes = /^(?:08(?!P01)|40|53|57|58|XX)|^55P03$|^25P0[34]$/

const ErrorFields = z.object({ code: z.string().catch(''), message: z.string().catch('unknown') })

/** What an error of the client or of Node says of itself. */
const errorFields = (error: unknown) => ErrorFields.catch({ code: '', message: String(error) }).parse(error)
