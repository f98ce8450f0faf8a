import { Problem } from '@wp/contracts'
import { errorCode, networkErrorCodes } from '@wp/runtime'
import { BrokerUnavailable } from './bus/broker-unavailable.ts'

/**
 * PostgreSQL's classes 08 (connection), 40 (rolled back by a conflict), 53 (out of resources), 58 (system) and the
 * shutdowns of class 57; 25006 is a server that has become a standby. https://www.postgresql.org/docs/18/errcodes-appendix.html
 */
const sqlStates = /^(08...|40...|53...|58...|57P0[1-5]|25006)$/

/** What Prisma says of the same: unreachable, timed out, closed, no connection to be had, a write conflict. */
const prismaCodes = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2034', 'P2037'])

/** Errors of `pg` that carry no code. */
const connectionMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Cannot use a pool after calling end)/

/**
 * Whether the platform, not the handled thing, is at fault: the database, the broker or another service is away. Such
 * an error says nothing about the event or job; trying again later is right however often it takes.
 */
export function isInfrastructureError(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > 5) return false
  if (error instanceof BrokerUnavailable) return true
  // An address that a user chose (@wp/outbound, which this package must not know) is no part of the platform.
  if (error.name === 'OutboundError') return false
  if (error instanceof Problem) return error.status >= 502 && error.status <= 504
  if (connectionMessages.test(error.message)) return true
  const code = errorCode(error)
  if (code !== undefined && (networkErrorCodes.has(code) || sqlStates.test(code) || prismaCodes.has(code))) return true
  return isInfrastructureError(error.cause, depth + 1)
}
