import { randomInt, randomUUID } from 'node:crypto'
import type { WorkerClient } from '@wp/database'
import { createLoop, type Worker } from '@wp/runtime'
import type { Context } from '../context.ts'
import { leaseOwnerOf, lockWorker, recordAlive, releaseDeadWorkers, removeWorker } from '../store/deliveries/workers.ts'

/** Interval in which a worker records that it is alive, and looks for others that are not. */
const intervalMs = 1_000

const maxWorkerId = 2 ** 31 - 1

export interface Liveness extends Worker {
  workerId: number
  /** Beginning of the tokens of all leases of this worker. */
  leaseOwner: string
  /** Returns the token of a lease of this worker. */
  newLeaseToken(): string
}

/**
 * Creates the worker that shows the other processes that this one is alive, by a session of its own, and makes the
 * deliveries and jobs of killed processes due. Without it they would wait for the end of their leases, which are long,
 * so that a slow process does not lose its deliveries to another that would send them again.
 *
 * @param recover called at the start, and before leases of others end: records what dead processes have left behind
 * @param wake called when deliveries or jobs have become due
 */
export function createLiveness(
  { database, log, metrics }: Pick<Context, 'database' | 'log' | 'metrics'>,
  recover: () => Promise<void>,
  wake: () => void,
): Liveness {
  const workerId = randomInt(1, maxWorkerId)
  const leaseOwner = leaseOwnerOf(workerId)
  let session: WorkerClient | undefined
  let hasRecovered = false
  const loop = createLoop({ name: 'delivery worker liveness', pass, pollMs: intervalMs, onStopped: endSession, log })

  async function pass(): Promise<'idle'> {
    session ??= await openSession()
    let hasUnseen: boolean
    try {
      hasUnseen = await recordAlive(session, workerId)
    } catch (error) {
      session.release(true)
      session = undefined
      throw error
    }
    if (hasUnseen || !hasRecovered) await recover()
    hasRecovered = true
    const released = hasUnseen ? await releaseDeadWorkers(database.worker) : 0
    if (released === 0) return 'idle'
    metrics.count('webhook_leases_released_total', {}, released)
    log.warn(
      { event: 'delivery.worker_died', released },
      'a delivery process has died; others take over its deliveries and jobs',
    )
    wake()
    return 'idle'
  }

  async function openSession(): Promise<WorkerClient> {
    const client = await database.worker.connect()
    try {
      await lockWorker(client, workerId)
      return client
    } catch (error) {
      client.release(true)
      throw error
    }
  }

  async function endSession(): Promise<void> {
    if (session === undefined) return
    // Another process removes a worker that could not.
    const isRemoved = await removeWorker(session, workerId).then(
      () => true,
      () => false,
    )
    session.release(!isRemoved)
  }

  return { ...loop, workerId, leaseOwner, newLeaseToken: () => leaseOwner + randomUUID() }
}
