import { networkErrorCodes } from '@wp/runtime'

/** SQLSTATEs of a server that went, goes or comes: class 08, and 57P01 to 57P05. */
const connectionSqlStates = /^(08...|57P0[1-5])$/

/** Prisma's codes for a server that cannot be reached (https://www.prisma.io/docs/orm/reference/error-reference). */
const prismaConnectionCodes = new Set(['P1001', 'P1002', 'P1008', 'P1017'])

/** What `pg` says without any code. */
const connectionMessages = /^(Connection terminated|Client has encountered a connection error|Client was closed)/

/**
 * Whether the database could not be reached or went away, so that the same may well work shortly. A write that failed
 * at its commit may have been done.
 */
export const isConnectionError = (error: unknown): boolean =>
  causeChain(error).some(
    ({ code, message }) =>
      connectionSqlStates.test(code) ||
      networkErrorCodes.has(code) ||
      prismaConnectionCodes.has(code) ||
      connectionMessages.test(message),
  )

/** Whether PostgreSQL gave up a transaction that collided with another (40001, 40P01), as itself or through Prisma. */
export const isTransactionConflict = (error: unknown): boolean =>
  causeChain(error).some(({ code }) => code === '40001' || code === '40P01' || code === 'P2034')

/** An error and what lies under it; Prisma keeps PostgreSQL's own in `meta.driverAdapterError`, as `originalCode`. */
function causeChain(error: unknown): { code: string; message: string }[] {
  const found: { code: string; message: string }[] = []
  for (
    let at = error;
    isObject(at) && found.length < 10;
    at = field(at, 'cause') ?? field(field(at, 'meta'), 'driverAdapterError')
  )
    found.push({ code: text(field(at, 'originalCode') ?? field(at, 'code')), message: text(field(at, 'message')) })
  return found
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const field = (value: unknown, name: string): unknown => (isObject(value) ? Reflect.get(value, name) : undefined)

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
