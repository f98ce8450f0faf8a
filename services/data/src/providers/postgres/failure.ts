import type { JobFailure } from '@wp/jobs'
import { OutboundError } from '@wp/outbound'
import { DatabaseError } from 'pg'
import { z } from 'zod'
import { failed, unreachable } from '../failure.ts'
import { placeIn } from './statement.ts'

/** What is known of the statement that failed. */
export interface Asked {
  query: string
  timeoutSeconds: number
  tookMs: number
}

/** What a conversation with a server failed at: PostgreSQL, appendix A, and what Node says of a connection. */
export function failureOf(error: unknown, asked: Asked): JobFailure {
  if (error instanceof OutboundError) return unreachable(error)
  if (error instanceof DatabaseError) return failureOfServer(error, asked)
  const { code, message } = factsOf(error)
  if (/password/i.test(message)) return failed('auth', 'The server asks for a password', error)
  if (/does not support SSL/i.test(message)) return failed('config', 'The server does not speak TLS', error)
  if (/CERT|TLS|SSL|SIGNATURE|SELF_SIGNED/.test(code))
    return failed('config', `No trusted TLS connection to the server: ${message}`, error)
  return failed('transient', `The connection to the server was lost: ${message}`, error)
}

function failureOfServer(error: DatabaseError, { query, timeoutSeconds, tookMs }: Asked): JobFailure {
  const { code = '', position } = error
  const said = `${error.message}${placeIn(query, position)}`
  if (code.startsWith('28')) return failed('auth', said, error)
  if (code === '42501') return failed('auth', said, error)
  // A timeout and a cancellation have one code, and their words are in the server's language.
  if (code === '57014' && tookMs >= timeoutSeconds * 1_000)
    return failed('config', `The query took longer than ${timeoutSeconds} s (statement_timeout_seconds)`, error)
  if (ofMissing.has(code)) return failed('schema', said, error)
  return failed(passing.test(code) ? 'transient' : 'config', said, error)
}

/** What a query names is not there: a table, a column, a schema. */
const ofMissing = new Set(['42P01', '42703', '3F000'])

/** Connections, serialization, resources, operators, the system, internals; and a lock that was not to be had. */
const passing = /^(?:08(?!P01)|40|53|57|58|XX)|^55P03$|^25P0[34]$/

const Facts = z.object({ code: z.string().catch(''), message: z.string().catch('unknown') })

/** What an error of the client or of Node says of itself. */
const factsOf = (error: unknown) => Facts.catch({ code: '', message: String(error) }).parse(error)
