import { problem } from '@wp/contracts'
import { FairSemaphore, SemaphoreTimeout } from '@wp/runtime'
import type { PoolClient } from 'pg'
import { checkIn, checkOut, openPool, type PoolSettings, type PoolUsage } from './pool.ts'

/** A connection in use, with the result of the first statement on it. */
export interface CheckedOut<T> {
  client: PoolClient
  opened: T
  /** Returns the connection to the pool, or closes it if it is still inside a transaction or `isUnusable`. */
  checkIn(isUnusable?: boolean): void
}

/** The right to use one connection. */
export interface Slot {
  /** Checks out a connection and runs the first statement on it. */
  checkOut<T>(open: (client: PoolClient) => Promise<T>): Promise<CheckedOut<T>>
  /** Lets another caller have it, as `checkIn` of the connection does. */
  free(): void
}

/** A pool of connections that workspaces use in turns. */
export interface FairPool {
  /** Waits for its turn to use a connection; parameters and errors as `checkOut`. */
  acquire(key: string, signal?: AbortSignal | undefined): Promise<Slot>
  /**
   * Checks out a connection in turn and runs the first statement on it.
   *
   * @param key the workspace, or the principal outside workspaces: keys take turns when connections are scarce, and one
   *   key holds all connections but one at most
   * @param signal stops waiting for a connection
   * @throws Problem `service_unavailable` with `Retry-After` if no connection becomes free in time
   */
  checkOut<T>(
    key: string,
    open: (client: PoolClient) => Promise<T>,
    signal?: AbortSignal | undefined,
  ): Promise<CheckedOut<T>>
  usage(): PoolUsage
  /** Resolves if the database can be reached. Takes its turn like a workspace. */
  ping(): Promise<void>
  /** Waits for statements in progress and closes every connection. */
  close(): Promise<void>
}

/** The party in whose name a connection is used. */
export interface ReadScope {
  workspaceId: string | null
  /** The customer of the workspace whose rows alone are read; undefined for all. */
  customerId?: string | undefined
  /** Takes turns of its own where there is no workspace. */
  principal?: { id: string }
  signal?: AbortSignal | undefined
}

/** Returns the key by which callers take turns. */
export const turnKey = ({ workspaceId, principal }: ReadScope): string => workspaceId ?? principal?.id ?? ''

/** Seconds after which a client retries when all connections were in use. */
const retryAfterSeconds = 1

/** Opens a pool whose connections workspaces use in turns; `maxWaitMs` is the longest wait for one. */
export function openFairPool({ maxWaitMs, ...settings }: PoolSettings & { maxWaitMs: number }): FairPool {
  const { size, name } = settings
  const pool = openPool(settings)
  const slots = new FairSemaphore({ size, maxPerKey: Math.max(1, size - 1), maxWaitMs })

  async function acquireSlot(key: string, signal: AbortSignal | undefined): Promise<() => void> {
    try {
      return await slots.acquire(key, signal)
    } catch (cause) {
      if (!(cause instanceof SemaphoreTimeout)) throw cause
      throw problem('service_unavailable', {
        detail: 'Too many requests are waiting for the database; retry shortly',
        cause: new Error(`pool ${name}: all ${size} connections in use, ${slots.waiting} callers waiting`, { cause }),
        headers: { 'retry-after': String(retryAfterSeconds) },
      })
    }
  }

  async function acquire(key: string, signal?: AbortSignal): Promise<Slot> {
    let free: (() => void) | undefined = await acquireSlot(key, signal)
    const freeOnce = () => {
      free?.()
      free = undefined
    }
    return {
      free: freeOnce,
      async checkOut(open) {
        const [client, opened] = await checkOut(pool, open)
        const checkInAndFree = (isUnusable = false) => {
          if (isUnusable) client.release(true)
          else checkIn(client)
          freeOnce()
        }
        return { client, opened, checkIn: checkInAndFree }
      },
    }
  }

  const checkOutInTurn: FairPool['checkOut'] = async (key, open, signal) => {
    const slot = await acquire(key, signal)
    return await slot.checkOut(open).catch((error: unknown) => {
      slot.free()
      throw error
    })
  }

  return {
    acquire,
    checkOut: checkOutInTurn,
    usage: () => ({ name, size, inUse: slots.inUse, waiting: slots.waiting }),
    async ping() {
      const connection = await checkOutInTurn('ping', (client) => client.query('SELECT 1'))
      connection.checkIn()
    },
    close: () => pool.end(),
  }
}
