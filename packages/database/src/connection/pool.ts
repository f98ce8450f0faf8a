import type { Log } from '@wp/runtime'
import { type ClientBase, Pool, type PoolClient, type PoolConfig } from 'pg'
import { isConnectionError } from './error-classification.ts'
import { rowTypes } from './row-types.ts'

interface PoolSettings {
  url: string
  size: number
  name: string
  /** Refuses writes outside of transactions that ask for them by BEGIN READ WRITE. */
  readOnly: boolean
  log: Log
}

/**
 * A pool whose sessions speak UTC, end statements after 30 s and forgotten transactions after 60 s, and whose lost
 * connections are logged and replaced instead of ending the process.
 */
export function openPool({ url, size, name, readOnly, log }: PoolSettings): Pool {
  const lost = (error: Error) => log.warn({ err: error, pool: name }, 'a database connection was lost')
  const config: PoolConfig = {
    connectionString: url,
    max: size,
    application_name: name,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    types: rowTypes,
    onConnect: (client) => configureSession(client, readOnly, lost),
  }
  const pool = new Pool(config)
  pool.on('error', lost)
  // One that was lost while it lay here, and was found out by `take`.
  pool.on('release', (error) => {
    if (typeof error === 'object' && error !== null) lost(error)
  })
  return pool
}

async function configureSession(client: ClientBase, readOnly: boolean, lost: (error: Error) => void): Promise<void> {
  // The pool listens to idle clients only; one that dies in use would end the process by its unheard `error` event.
  client.on('error', (error) => lost(error))
  // Prisma's adapter reads every timestamp as UTC, whatever its offset says.
  await client.query(`
    SET timezone = 'UTC';
    SET default_transaction_read_only = ${readOnly ? 'on' : 'off'};
    SET statement_timeout = '30s';
    SET idle_in_transaction_session_timeout = '60s'`)
}

/**
 * Takes a connection and opens its use. One that was lost while it lay in the pool is noticed only here; since nothing
 * has happened yet, another one is tried.
 */
export async function checkOut<T>(pool: Pool, open: (client: PoolClient) => Promise<T>): Promise<[PoolClient, T]> {
  for (let attempt = 0; ; attempt++) {
    const client = await pool.connect()
    try {
      return [client, await open(client)]
    } catch (error) {
      client.release(error instanceof Error ? error : true)
      if (attempt === pool.options.max || !isConnectionError(error)) throw error
    }
  }
}

/** Puts a connection back; one that is not between transactions is closed instead. */
export const checkIn = (client: PoolClient): void => client.release(client.getTransactionStatus() !== 'I')
