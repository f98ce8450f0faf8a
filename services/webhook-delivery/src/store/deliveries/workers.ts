import { type Database, inWorkerTransaction, type Query, type Row, type WorkerClient } from '@wp/database'
import { releaseLeases } from '@wp/jobs'
import type { Delivery, DeliveryWorker } from '#db'
import { markDue } from '../endpoints/due-marks.ts'

/** First key of the session locks of workers; the second is the id of the worker. */
const lockClass = 'delivery_worker'

/** Returns the beginning of the tokens of all leases of a worker, of deliveries and of jobs. */
export const leaseOwnerOf = (workerId: number): string => `${workerId}.`

/** Takes the lock that the worker holds as long as this session lives. A killed process loses it at once. */
export async function lockWorker(client: WorkerClient, workerId: number): Promise<void> {
  await client.query('SELECT pg_advisory_lock(hashtext($1), $2)', [lockClass, workerId])
}

/** SQL condition: the worker may be dead. After a restart of PostgreSQL, which ends all sessions, everyone has time. */
const isUnseen = `seen_at < now() - interval '3 seconds' AND pg_postmaster_start_time() < now() - interval '10 seconds'`

/** Records that the worker is alive. @returns true if others have not been seen for long, see `releaseDeadWorkers` */
export async function recordAlive(client: WorkerClient, workerId: number): Promise<boolean> {
  const { rows } = await client.query<{ hasUnseen: boolean }>({
    name: 'record_alive',
    text: `INSERT INTO delivery_workers (worker_id, seen_at) VALUES ($1, now())
      ON CONFLICT (worker_id) DO UPDATE SET seen_at = excluded.seen_at
      RETURNING EXISTS (SELECT FROM delivery_workers WHERE worker_id <> $1 AND ${isUnseen}) AS has_unseen`,
    values: [workerId],
  })
  return rows[0]?.hasUnseen === true
}

/** Forgets a worker that has ended, and its lock. It must have no leases. */
export async function removeWorker(client: WorkerClient, workerId: number): Promise<void> {
  await client.query('DELETE FROM delivery_workers WHERE worker_id = $1', [workerId])
  await client.query('SELECT pg_advisory_unlock(hashtext($1), $2)', [lockClass, workerId])
}

/**
 * Makes the deliveries and jobs due whose workers have died: not seen for three seconds, and without their lock. A
 * worker that lives but has lost its connection takes the lock again within that time; after a restart of PostgreSQL,
 * which ends all sessions, everyone has ten seconds. Whatever is missed here becomes due at the end of its lease.
 *
 * @returns the number of their leases
 */
export function releaseDeadWorkers(pool: Database['worker']): Promise<number> {
  return inWorkerTransaction(pool, async (_client, query) => {
    const dead = await lockDeadWorkers(query)
    if (dead.length === 0) return 0
    const released = await query<Row<Delivery, 'webhookId'>>(
      `UPDATE deliveries SET next_attempt_at = date_trunc('milliseconds', now()), updated_at = now()
       WHERE status = 'pending' AND next_attempt_at > now() AND split_part(lease_token, '.', 1) = ANY ($1)
       RETURNING webhook_id`,
      [dead.map(String)],
    )
    const endpoints = [...new Set(released.map(({ webhookId }) => webhookId))].sort()
    await query(
      `UPDATE endpoints SET saturated_until = CASE WHEN rate_free_at > now() THEN rate_free_at END
       WHERE webhook_id IN (SELECT webhook_id FROM endpoints WHERE webhook_id = ANY ($1) ORDER BY webhook_id FOR NO KEY UPDATE)`,
      [endpoints],
    )
    await markDue(query, endpoints)
    const jobs = await releaseLeases(query, dead.map(leaseOwnerOf))
    await query('DELETE FROM delivery_workers WHERE worker_id = ANY ($1::int[])', [dead])
    return released.length + jobs
  })
}

/** Returns the dead workers that no other process is releasing. */
async function lockDeadWorkers(query: Query): Promise<number[]> {
  const unseen = await query<Row<DeliveryWorker, 'workerId'>>(
    `SELECT worker_id FROM delivery_workers WHERE ${isUnseen} FOR UPDATE SKIP LOCKED`,
    [],
    'find_unseen_workers',
  )
  if (unseen.length === 0) return []
  // A separate statement: the planner may evaluate the conditions of one in any order, and would try every lock.
  const dead = await query<{ id: number }>(selectUnlocked, [lockClass, unseen.map(({ workerId }) => workerId)])
  return dead.map(({ id }) => id)
}

/** Takes the locks of the workers that have none, until the end of the transaction. */
const selectUnlocked = 'SELECT id FROM unnest($2::int[]) AS id WHERE pg_try_advisory_xact_lock(hashtext($1), id)'

/** Returns those of the workers that have lost their lock: dead ones, or without a connection to the database. */
export async function findDeadWorkers(pool: Database['worker'], workerIds: readonly number[]): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>(selectUnlocked, [lockClass, workerIds])
  return rows.map(({ id }) => id)
}
