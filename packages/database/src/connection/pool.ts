import { Socket } from 'node:net'
import type { Log } from '@wp/runtime'
import pg, { type ClientBase, Pool, type PoolClient, type PoolConfig } from 'pg'
import { isConnectionError } from './error-classification.ts'
import { returnFieldNames } from './field-names.ts'

export interface PoolSettings {
  /** Its parameter `connect_timeout` limits the wait for a connection, in seconds, as in libpq; default 5. */
  url: string
  size: number
  /** Shown by PostgreSQL as `application_name`. */
  name: string
  /** Rejects writes outside transactions opened with BEGIN READ WRITE. */
  readOnly: boolean
  /**
   * Sends statements without waiting for the results of those before them; default false. PostgreSQL executes them in
   * order.
   */
  pipeline?: boolean
  /** SQL that sets parameters of each session. */
  sessionSettings?: string | undefined
  log: Log
}

/** The connections of a pool. */
export interface PoolUsage {
  name: string
  /** Connections the pool may open. */
  size: number
  inUse: number
  /** Number of callers that wait for a connection. */
  waiting: number
}

/** Returns how the connections of a pool are used. */
export const usageOf = ({ options, totalCount, idleCount, waitingCount }: Pool): PoolUsage => ({
  name: String(options.application_name),
  size: options.max,
  inUse: totalCount - idleCount,
  waiting: waitingCount,
})

/**
 * Opens a pool. Its rows have field names; its sessions use UTC, cancel statements after 30 s and end idle transactions
 * after 60 s. A lost connection is logged and replaced instead of ending the process.
 */
export function openPool({ url, size, name, readOnly, pipeline = false, sessionSettings, log }: PoolSettings): Pool {
  const logLoss = (error: Error) =>
    log.warn({ event: 'database_connection.lost', err: error, pool: name }, 'database connection lost')
  const config: PoolConfig = {
    connectionString: url,
    max: size,
    application_name: name,
    connectionTimeoutMillis: connectTimeoutMs(url),
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    pipeline,
    ...(pipeline ? { stream: () => new BatchingSocket() } : {}),
    types: rowTypes,
    onConnect: (client) => configureSession(client, { readOnly, sessionSettings, logLoss }),
  }
  const pool = new Pool(config)
  pool.on('error', logLoss)
  // A connection that broke while idle and was detected by `checkOut`.
  pool.on('release', (error) => {
    if (typeof error === 'object' && error !== null) logLoss(error)
  })
  return pool
}

const defaultConnectTimeoutMs = 5_000

function connectTimeoutMs(url: string): number {
  const seconds = Number(URL.parse(url)?.searchParams.get('connect_timeout') ?? Number.NaN)
  return seconds > 0 ? seconds * 1_000 : defaultConnectTimeoutMs
}

async function configureSession(
  client: ClientBase,
  {
    readOnly,
    sessionSettings = '',
    logLoss,
  }: Pick<PoolSettings, 'readOnly' | 'sessionSettings'> & {
    logLoss: (error: Error) => void
  },
): Promise<void> {
  returnFieldNames(client)
  // The pool handles errors of idle clients only; an unhandled `error` event of a client in use would end the process.
  client.on('error', (error) => logLoss(error))
  // Prisma's adapter reads every timestamp as UTC and ignores its offset.
  await client.query(`
    SET timezone = 'UTC';
    SET default_transaction_read_only = ${readOnly ? 'on' : 'off'};
    SET statement_timeout = '30s';
    SET idle_in_transaction_session_timeout = '60s';
    ${sessionSettings}`)
}

/**
 * Checks out a connection and runs the first statement on it. A connection that broke while idle is detected only here;
 * since nothing has been done on it, another one is tried.
 */
export async function checkOut<T>(pool: Pool, open: (client: PoolClient) => Promise<T>): Promise<[PoolClient, T]> {
  for (let attempt = 0; ; attempt++) {
    const client = await pool.connect()
    try {
      return [client, await open(client)]
    } catch (error) {
      const isLost = isConnectionError(error)
      client.release(isLost && error instanceof Error ? error : true)
      if (attempt === pool.options.max || !isLost) throw error
    }
  }
}

/** Returns a connection to the pool, or closes it if it is still inside a transaction. */
export const checkIn = (client: PoolClient): void => client.release(client.getTransactionStatus() !== 'I')

const { builtins, getTypeParser } = pg.types

/** Decoders for plain SQL that differ from the defaults of `pg`. */
const parsers = new Map<number, (text: string) => unknown>([
  [builtins.INT8, safeInteger],
  // The default is a Date in the time zone of the process; a calendar date has no time zone.
  [builtins.DATE, (text) => text],
])

/** Row decoding of one pool. The global registry of `pg` is left unchanged because Prisma's adapter reads it. */
const rowTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (format === 'binary' ? undefined : parsers.get(oid)) ?? getTypeParser(oid, format),
}

function safeInteger(text: string): number | bigint {
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : BigInt(text)
}

/**
 * A socket that sends what is written to it in the same tick of the event loop as one packet. The client of PostgreSQL
 * corks and uncorks its socket for each statement, so statements that are sent together would take a system call each,
 * and wake the server as often. With TLS that is still so: its socket is one of its own.
 */
export class BatchingSocket extends Socket {
  #isCorked = false

  override cork(): void {
    if (this.#isCorked) return
    this.#isCorked = true
    super.cork()
    process.nextTick(() => {
      this.#isCorked = false
      super.uncork()
    })
  }

  /** Does nothing: the socket is uncorked at the end of the tick. */
  override uncork(): void {}
}
