import { setTimeout as pass } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
import { readSourceState, type SyncFeed, startSyncFeed } from './fixture/sync-feed.ts'

/** Rows of the source. `WP_SYNC_ROWS=200000` for a realistic size. */
const rows = Number(process.env.WP_SYNC_ROWS ?? 20_000)
const kills = 10
const timeoutMs = 60_000 + rows * 12

let feed: SyncFeed
beforeAll(async () => {
  feed = await startSyncFeed(rows)
  await feed.run(
    `CREATE TABLE feed (id integer PRIMARY KEY, title text, body text, version bigint NOT NULL UNIQUE);
     CREATE SEQUENCE versions; ALTER TABLE feed ALTER version SET DEFAULT nextval('versions')`,
  )
}, 60_000)
afterAll(() => feed?.stop())

/** The first version of the table, with half of the rows. */
const initialRows = `
  TRUNCATE feed;
  INSERT INTO feed (id, title, body)
  SELECT id, 'room ' || id % 97, 'walrus ' || id % 13 || ' beside ' || repeat('sea ', id % 5) || id % 1009
    FROM generate_series(1, ${rows / 2}) AS id; ANALYZE feed`
/** The second version: some rows deleted, some changed, and the other half added. */
const changedRows = `
  DELETE FROM feed WHERE id % 10 = 3;
  UPDATE feed SET body = body || ' changed', version = nextval('versions') WHERE id % 10 = 4;
  INSERT INTO feed (id, title, body)
  SELECT id, 'room ' || id % 97, 'otter ' || id % 17 || ' on ' || id % 1009
    FROM generate_series(${rows / 2 + 1}, ${rows}) AS id; ANALYZE feed`

const runSync = async (source: string, mode: 'full' | 'incremental') =>
  feed.waitForSync(await feed.startSync(source, mode))

/**
 * Kills the worker ten times during one sync: every third time before its first checkpoint, otherwise some time after it.
 * Fewer checkpoints would make the job fail.
 */
async function killRepeatedly(sync: string, longestMs: number): Promise<number> {
  for (let losses = 0; losses < kills; losses++) {
    const isEarly = losses % 3 === 1
    const isTaken = async () => {
      const job = await feed.readJob(sync)
      if (job.state !== 'running' && job.state !== 'queued')
        throw new Error(`the sync has ${job.state} after ${losses} kills`)
      return job.state === 'running' && job.losses === losses && (isEarly || job.hasCheckpoint)
    }
    await eventually(isTaken, { timeoutMs: 30_000, intervalMs: 5 })
    await pass(Math.random() * (isEarly ? 100 : longestMs))
    await feed.killWorker(sync)
  }
  await eventually(async () => (await feed.readJob(sync)).losses === kills, { timeoutMs: 30_000, intervalMs: 5 })
  return kills
}

describe(`a sync of ${rows} rows whose worker is killed ${kills} times`, () => {
  it.each([
    // A full sync restarts after each kill and needs most of its time; an incremental one continues from its checkpoint.
    ['full', 0.7],
    ['incremental', 1 / 24],
  ] as const)(
    'gives the same records, counts and search index as an undisturbed sync (%s)',
    async (mode, part) => {
      await feed.run(initialRows)
      const [calm, troubled] = [await feed.createSource(`calm ${mode}`), await feed.createSource(`troubled ${mode}`)]
      const first = await runSync(calm, mode)
      expect(first).toMatchObject({ status: 'finished', counts: { created: rows / 2 } })
      await runSync(troubled, mode)
      await feed.run(changedRows)

      const began = performance.now()
      const expected = await runSync(calm, mode)
      const tookMs = performance.now() - began
      const gone = rows / 20
      expect(expected).toMatchObject({
        status: 'finished',
        counts: {
          seen: mode === 'full' ? rows - gone : rows / 2 + gone + 1,
          created: rows / 2,
          updated: gone,
          deleted: mode === 'full' ? gone : 0,
          failed: 0,
        },
      })

      const sync = await feed.startSync(troubled, mode)
      const times = await killRepeatedly(sync, part * tookMs)
      const found = await feed.waitForSync(sync)
      expect([times, found.status, found.error]).toEqual([kills, 'finished', null])
      expect(found.counts).toEqual(expected.counts)
      expect(found.cursor_after).toBe(expected.cursor_after)

      const [was, is] = [await readSourceState(feed, calm), await readSourceState(feed, troubled)]
      expect(is.counted).toEqual(was.counted)
      expect(is.records).toEqual(was.records)
      expect(is.postings).toEqual(was.postings)
      // In both, the postings match the records.
      expect(is.postings).toEqual(is.stated)
      expect(was.postings).toEqual(was.stated)
      expect(is.postings.length).toBeGreaterThan(100)
    },
    timeoutMs,
  )
})
