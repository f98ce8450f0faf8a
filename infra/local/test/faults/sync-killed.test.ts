import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
import { readSourceState, type SyncFeed, startSyncFeed } from './fixture/sync-feed.ts'

/**
 * Rows of the source by mode. `WP_SYNC_ROWS=200000` for a realistic size. An incremental sync needs more batches of
 * 1,000 rows than there are kills, because it continues from its last batch.
 */
const rowCounts = { full: 4_000, incremental: 8_000 }
const maxRows = Number(process.env.WP_SYNC_ROWS ?? rowCounts.incremental)
/** A full sync starts over after each kill, so that fewer show the same. */
const killCounts = { full: 2, incremental: 3 }
const timeoutMs = 60_000 + maxRows * 12

let feed: SyncFeed
beforeAll(async () => {
  feed = await startSyncFeed(maxRows)
  await feed.run(
    `CREATE TABLE feed (id integer PRIMARY KEY, title text, body text, version bigint NOT NULL UNIQUE);
     CREATE SEQUENCE versions; ALTER TABLE feed ALTER version SET DEFAULT nextval('versions')`,
  )
})
afterAll(() => feed?.stop())

/** The first version of the table, with half of the rows. */
const initialRows = (rows: number) => `
  TRUNCATE feed;
  INSERT INTO feed (id, title, body)
  SELECT id, 'room ' || id % 97, 'walrus ' || id % 13 || ' beside ' || repeat('sea ', id % 5) || id % 1009
    FROM generate_series(1, ${rows / 2}) AS id; ANALYZE feed`
/** The second version: some rows deleted, some changed, and the other half added. */
const changedRows = (rows: number) => `
  DELETE FROM feed WHERE id % 10 = 3;
  UPDATE feed SET body = body || ' changed', version = nextval('versions') WHERE id % 10 = 4;
  INSERT INTO feed (id, title, body)
  SELECT id, 'room ' || id % 97, 'otter ' || id % 17 || ' on ' || id % 1009
    FROM generate_series(${rows / 2 + 1}, ${rows}) AS id; ANALYZE feed`

const runSync = async (source: string, mode: 'full' | 'incremental') =>
  feed.waitForSync(await feed.startSync(source, mode))

/**
 * Kills the worker so many times during one sync: every third time before its first checkpoint, otherwise after it has
 * stored up to `maxSeen` rows. Fewer checkpoints would make the job fail.
 */
async function killRepeatedly(sync: string, kills: number, maxSeen: number): Promise<void> {
  for (let losses = 0; losses < kills; losses++) {
    const isEarly = losses % 3 === 1
    const minSeen = Math.random() * maxSeen
    const canKill = async () => {
      const job = await feed.readJob(sync)
      if (job.state !== 'running' && job.state !== 'queued')
        throw new Error(`the sync has ${job.state} after ${losses} kills`)
      const hasProgress = job.hasCheckpoint && job.seen >= minSeen
      return job.state === 'running' && job.losses === losses && (isEarly || hasProgress)
    }
    await eventually(canKill, { intervalMs: 10 })
    await pause(Math.random() * 100)
    await feed.killWorker(sync)
  }
  await eventually(async () => (await feed.readJob(sync)).losses === kills)
}

describe('a sync whose worker is killed several times', () => {
  it.each([
    // A full sync restarts after each kill; an incremental one continues from its checkpoint.
    ['full', 0.5],
    ['incremental', 0],
  ] as const)(
    'gives the same records, counts and search index as an undisturbed sync (%s)',
    async (mode, maxFraction) => {
      const rows = Number(process.env.WP_SYNC_ROWS ?? rowCounts[mode])
      await feed.run(initialRows(rows))
      const undisturbed = await feed.createSource(`undisturbed ${mode}`)
      const disturbed = await feed.createSource(`disturbed ${mode}`)
      const initialSync = await runSync(undisturbed, mode)
      expect(initialSync).toMatchObject({ status: 'finished', counts: { created: rows / 2 } })
      await runSync(disturbed, mode)
      await feed.run(changedRows(rows))

      const expected = await runSync(undisturbed, mode)
      const deletedRows = rows / 20
      expect(expected).toMatchObject({
        status: 'finished',
        counts: {
          seen: mode === 'full' ? rows - deletedRows : rows / 2 + deletedRows + 1,
          created: rows / 2,
          updated: deletedRows,
          deleted: mode === 'full' ? deletedRows : 0,
          failed: 0,
        },
      })

      const syncId = await feed.startSync(disturbed, mode)
      await killRepeatedly(syncId, killCounts[mode], maxFraction * rows)
      const actual = await feed.waitForSync(syncId)
      expect([actual.status, actual.error]).toEqual(['finished', null])
      expect(actual.counts).toEqual(expected.counts)
      expect(actual.cursor_after).toBe(expected.cursor_after)

      const expectedState = await readSourceState(feed, undisturbed)
      const actualState = await readSourceState(feed, disturbed)
      expect(actualState).toEqual(expectedState)
      // in both, the postings match the records
      expect(actualState.postings).toEqual(actualState.expectedPostings)
      expect(actualState.postings.length).toBeGreaterThan(100)
    },
    timeoutMs,
  )
})
