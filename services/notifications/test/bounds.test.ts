import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import { newId } from '@wp/database'
import { deleteExpired, endedJobsRetention } from '@wp/jobs/background'
import { eventually } from '@wp/testkit'
import { Pool } from 'pg'
import { retentionRules } from '../src/retention.ts'
import { deleteExcessNotifications } from '../src/store/notifications.ts'
import { startHarness } from './fixture/harness.ts'

const harness = await startHarness()
const pool = new Pool({ connectionString: harness.fleet.databases.get('notifications')?.adminUrl ?? '', max: 1 })
afterAll(async () => {
  await pool.end()
  await harness.stop()
})

const count = async (text: string, values: unknown[] = []): Promise<number> =>
  (await harness.rows<{ count: number }>(`SELECT count(*)::int AS count FROM ${text}`, values))[0]?.count ?? 0

describe('the retention of notifications', () => {
  const feed = async (recipientId: string, ages: readonly number[]) => {
    await harness.rows('INSERT INTO feeds VALUES ($1, $2, $3)', ['ws_kept', recipientId, ages.length])
    await harness.rows(
      `INSERT INTO notifications (id, workspace_id, recipient_id, position, event_id, kind, category, is_critical, is_in_app, title, body, created_at)
       SELECT $1 || n, 'ws_kept', $1, n, $1 || n, 'K', 'data', false, true, 'T', 'B', now() - make_interval(days => age)
       FROM unnest($2::int[]) WITH ORDINALITY AS given (age, n)`,
      [recipientId, ages],
    )
  }
  const kept = async () =>
    (await harness.rows<{ id: string }>(`SELECT id FROM notifications WHERE workspace_id = 'ws_kept' ORDER BY id`)).map(
      ({ id }) => id,
    )

  beforeEach(async () => {
    await harness.rows(`DELETE FROM notifications WHERE workspace_id = 'ws_kept'`)
    await harness.rows(`DELETE FROM feeds WHERE workspace_id = 'ws_kept'`)
  })

  it('ends after a number of days', async () => {
    await feed('a', [91, 89, 1])
    for (const rule of retentionRules) await deleteExpired(pool, rule)
    expect(await kept()).toEqual(['a2', 'a3'])
  })

  it('keeps the newest of each feed, in steps of limited size', async () => {
    await feed('a', [5, 4, 3, 2, 1])
    await feed('b', [2, 1])
    expect(await deleteExcessNotifications(pool, { keep: 2, limit: 2 })).toBe(2)
    expect(await deleteExcessNotifications(pool, { keep: 2, limit: 2 })).toBe(1)
    expect(await kept()).toEqual(['a4', 'a5', 'b1', 'b2'])
  })

  it('deletes jobs a day after their end', async () => {
    const keyId = await harness.createKey()
    await eventually(async () => (await count(`notifications WHERE body LIKE $1`, [`%${keyId}%`])) > 0)
    const ended = `platform.jobs WHERE state = 'finished' AND finished_at < now() - interval '1 day'`
    await harness.untilFannedOut(1)
    await harness.rows(`UPDATE platform.jobs SET finished_at = now() - interval '25 hours' WHERE state = 'finished'`)
    const before = await count(ended)
    expect(before).toBeGreaterThan(0)
    expect(await deleteExpired(pool, endedJobsRetention)).toBe(before)
    expect(await count(ended)).toBe(0)
  })
})

describe('an event', () => {
  it('reaches every member of a large workspace, once', async () => {
    const members = 2_500
    const { workspaceId } = await harness.fleet.seed('large')
    await harness.rows(
      `WITH ids AS (SELECT 'usr_' || substr($1, 4, 20) || lpad(n::text, 6, '0') AS user_id FROM generate_series(1, $2::int) n),
         people AS (INSERT INTO users (user_id, email) SELECT user_id, user_id || '@example.test' FROM ids RETURNING user_id)
       INSERT INTO memberships (workspace_id, user_id, built_in_role) SELECT $1, user_id, 'viewer' FROM people`,
      [workspaceId, members],
      'auth',
    )
    await enqueueFanOut(workspaceId, 1)
    const own = `notifications WHERE workspace_id = $1 AND body LIKE '%flood%'`
    // Every member, the owner and the feed of the workspace.
    await eventually(async () => (await count(own, [workspaceId])) >= members + 2)
    await eventually(async () => (await unfinished(workspaceId)) === 0)
    expect(await count(own, [workspaceId])).toBe(members + 2)
  })

  it('is not delayed by a flood of events in another workspace', async () => {
    const { workspaceId } = harness.fleet.stranger
    await enqueueFanOut(workspaceId, 3_000)
    const keyId = await harness.createKey()
    await eventually(async () => (await count('notifications WHERE body LIKE $1', [`%${keyId}%`])) > 0)
    expect(await unfinished(workspaceId)).toBeGreaterThan(0)
    await harness.rows(`UPDATE platform.jobs SET state = 'cancelled' WHERE workspace_id = $1 AND state = 'queued'`, [
      workspaceId,
    ])
  })
})

const unfinished = (workspaceId: string) =>
  count(`platform.jobs WHERE workspace_id = $1 AND queue = 'fan_out' AND state IN ('queued', 'running')`, [workspaceId])

/** Queues events as the consumer does. */
const enqueueFanOut = (workspaceId: string, events: number) =>
  harness.rows(
    `INSERT INTO platform.jobs (id, queue, workspace_id, input)
     SELECT $1 || n, 'fan_out', $2, '{"kind": "API_KEY_CREATED", "data": {"id": "akey_1", "name": "flood"}}'
     FROM generate_series(1, $3::int) n`,
    [newId('evt'), workspaceId, events],
  )
