import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import type { WorkerClient } from '@wp/database'
import { createTestDatabase, eventually, openWorkerPool, type TestDatabase } from '@wp/testkit'
import type { Pool } from 'pg'
import {
  leaseOwnerOf,
  lockWorker,
  recordAlive,
  releaseDeadWorkers,
  removeWorker,
} from '../../src/store/deliveries/workers.ts'
import { addBacklog, addEndpoint } from '../fixture/backlog.ts'
import { claim } from '../fixture/claim.ts'

let database: TestDatabase
let sql: Pool
const sessions: WorkerClient[] = []

beforeAll(async () => {
  database = await createTestDatabase('webhook-delivery')
  sql = openWorkerPool(database.workerUrl, 6)
  // Nothing is released in the first ten seconds of a server, which the tests' own may still be in.
  await eventually(async () => {
    const { rows } = await sql.query(`SELECT pg_postmaster_start_time() < now() - interval '11 seconds' AS ready`)
    return rows[0].ready
  })
})
afterEach(async () => {
  for (const session of sessions.splice(0)) session.release(true)
  for (const table of ['delivery_workers', 'subscriptions', 'deliveries', 'platform.jobs'])
    await sql.query(`DELETE FROM ${table}`)
})
afterAll(async () => {
  await sql?.end()
  await database?.drop()
})

/** Starts a worker, and claims two deliveries of an endpoint for it. @returns its session and the endpoint */
async function startWorker(workerId: number): Promise<{ session: WorkerClient; webhookId: string }> {
  const session = await sql.connect()
  sessions.push(session)
  session.on('error', () => undefined) // the test ends the session
  await lockWorker(session, workerId)
  await recordAlive(session, workerId)
  const webhookId = await addEndpoint(sql, 'ws_1')
  await addBacklog(sql, webhookId, 2)
  expect(await claim(sql, 10, { leaseToken: `${leaseOwnerOf(workerId)}lease`, leaseSeconds: 300 })).toHaveLength(2)
  return { session, webhookId }
}

/** Kills the worker: its session ends. */
async function kill({ session }: { session: WorkerClient }): Promise<void> {
  const { rows } = await session.query('SELECT pg_backend_pid() AS pid')
  sessions.splice(sessions.indexOf(session), 1)
  session.release(true)
  await eventually(
    async () => (await sql.query('SELECT FROM pg_stat_activity WHERE pid = $1', [rows[0].pid])).rowCount === 0,
  )
}

const setUnseen = (workerId: number, seconds: number) =>
  sql.query(`UPDATE delivery_workers SET seen_at = now() - $2 * interval '1 second' WHERE worker_id = $1`, [
    workerId,
    seconds,
  ])

const workers = async () =>
  (await sql.query('SELECT worker_id FROM delivery_workers ORDER BY 1')).rows.map((row) => row.workerId)

describe('releaseDeadWorkers', () => {
  it('makes the deliveries of a worker due that was killed, and of no other', async () => {
    const dead = await startWorker(1)
    await startWorker(2)
    await kill(dead)
    await setUnseen(1, 4)
    expect(await releaseDeadWorkers(sql)).toBe(2)
    expect(await workers()).toEqual([2])
    const again = await claim(sql, 10)
    expect(again.map((row) => [row.webhookId, row.attemptCount])).toEqual([
      [dead.webhookId, 2],
      [dead.webhookId, 2],
    ])
  })

  it('ends the leases of jobs of a worker that was killed, and of no other', async () => {
    await kill(await startWorker(1))
    await setUnseen(1, 4)
    for (const owner of [leaseOwnerOf(1), leaseOwnerOf(11), ''])
      await sql.query(
        `INSERT INTO platform.jobs (id, queue, workspace_id, state, input, lease_token, lease_until)
         VALUES ('job_' || $1, 'event-destinations', 'ws_1', 'running', '{}', $1 || gen_random_uuid(), now() + interval '300 seconds')`,
        [owner],
      )
    expect(await releaseDeadWorkers(sql)).toBe(3)
    const { rows } = await sql.query('SELECT id FROM platform.jobs WHERE lease_until < now()')
    expect(rows).toEqual([{ id: `job_${leaseOwnerOf(1)}` }])
  })

  it('keeps the deliveries of a worker that has its lock, however long it was not seen', async () => {
    await startWorker(1)
    await setUnseen(1, 3_600)
    expect(await releaseDeadWorkers(sql)).toBe(0)
    expect(await claim(sql, 10)).toEqual([])
  })

  it('keeps the deliveries of a worker without its lock that was just seen: it may be connecting again', async () => {
    await kill(await startWorker(1))
    await setUnseen(1, 1)
    expect(await releaseDeadWorkers(sql)).toBe(0)
    expect(await workers()).toEqual([1])
  })

  it('releases each delivery once if several processes notice the death', async () => {
    const dead = await startWorker(1)
    await kill(dead)
    await setUnseen(1, 4)
    const released = await Promise.all([1, 2, 3, 4].map(() => releaseDeadWorkers(sql)))
    expect(released.sort()).toEqual([0, 0, 0, 2])
  })

  it('finds neither the row nor the lock of a worker that has ended', async () => {
    const { session } = await startWorker(1)
    await removeWorker(session, 1)
    expect(await workers()).toEqual([])
    const other = await sql.connect()
    await lockWorker(other, 1)
    await removeWorker(other, 1)
    other.release()
  })
})
