import { networkErrorCodes } from '@wp/runtime'

/** SQLSTATEs of a connection failure (class 08) and of a server shutting down or starting (57P01 to 57P05). */
const connectionSqlStates = /^(08...|57P0[1-5])$/

/** Prisma's error codes for an unreachable server (https://www.prisma.io/docs/orm/reference/error-reference). */
const prismaConnectionCodes = new Set(['P1001', 'P1002', 'P1008', 'P1017'])

/** Messages of `pg` errors that carry no code. */
const connectionMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed)/

/**
 * Returns true if the database could not be reached or the connection broke; a retry may succeed. A write that failed
 * during COMMIT may have been committed.
 */
export const isConnectionError = (error: unknown): boolean =>
  causeChain(error).some(
    ({ code, message }) =>
      connectionSqlStates.test(code) ||
      networkErrorCodes.has(code) ||
      prismaConnectionCodes.has(code) ||
      connectionMessages.test(message),
  )

/**
 * Returns true for a serialization failure (40001) or a deadlock (40P01), reported by PostgreSQL or by Prisma (P2034).
 */
export const isTransactionConflict = (error: unknown): boolean =>
  causeChain(error).some(({ code }) => code === '40001' || code === '40P01' || code === 'P2034')

/**
 * Returns an error and its causes, at most ten. Prisma keeps PostgreSQL's error in `meta.driverAdapterError` and its
 * code in `originalCode`.
 */
function causeChain(error: unknown): { code: string; message: string }[] {
  const chain: { code: string; message: string }[] = []
  let current = error
  while (isObject(current) && chain.length < 10) {
    const code = field(current, 'originalCode') ?? field(current, 'code')
    chain.push({ code: text(code), message: text(field(current, 'message')) })
    current = field(current, 'cause') ?? field(field(current, 'meta'), 'driverAdapterError')
  }
  return chain
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const field = (value: unknown, name: string): unknown => (isObject(value) ? Reflect.get(value, name) : undefined)

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
