import { Problem } from '@wp/contracts'
import { errorCode, networkErrorCodes } from '@wp/runtime'

/**
 * SQLSTATE classes 08 (connection), 40 (transaction rollback), 53 (insufficient resources), 58 (system error) and the
 * shutdown codes of class 57; 25006 is a server that has become a standby.
 * https://www.postgresql.org/docs/18/errcodes-appendix.html
 */
const sqlStates = /^(08...|40...|53...|58...|57P0[1-5]|25006)$/

/** Prisma's codes for the same failures: unreachable, timed out, closed, no free connection, write conflict. */
const prismaCodes = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2034', 'P2037'])

/** Messages of `pg` errors that carry no code. */
const connectionMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Cannot use a pool after calling end)/

/**
 * Returns true if an error was caused by the platform: the database, the broker or another service is unavailable. Such
 * an error says nothing about the event or job being handled, so it may be retried without limit.
 */
export function isInfrastructureError(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > 5) return false
  if (error instanceof BrokerUnavailable) return true
  // An address chosen by a user is not part of the platform. Compared by name: this package must not import
  // @wp/outbound.
  if (error.name === 'OutboundError') return false
  if (error instanceof Problem) return error.status >= 502 && error.status <= 504
  if (connectionMessages.test(error.message)) return true
  const code = errorCode(error)
  if (code !== undefined && (networkErrorCodes.has(code) || sqlStates.test(code) || prismaCodes.has(code))) return true
  return isInfrastructureError(error.cause, depth + 1)
}

/** Thrown when the broker is unreachable or the connection broke during a request, which may have been executed. */
export class BrokerUnavailable extends Error {
  override readonly name = 'BrokerUnavailable'

  constructor(options?: ErrorOptions) {
    super('the broker is unavailable', options)
  }
}
