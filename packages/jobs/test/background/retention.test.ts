import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import { noMetrics } from '@wp/runtime'
import { eventually } from '@wp/testkit'
import { createRetention, deleteExpired, type RetentionRule } from '../../src/background/index.ts'
import { openTestEnvironment } from '../fixture/test-environment.ts'

/** The rule for a table that every test fills with rows of some ages in days. */
const rule: RetentionRule = { table: 'platform.inbox', column: 'received_at', period: '10 days', batchRows: 2 }

const environment = await openTestEnvironment()
afterAll(() => environment.close())
beforeEach(() => fill([11, 12, 13, 14, 15, 9, 1]))

async function fill(ages: readonly number[]): Promise<void> {
  await environment.database.worker.query('DELETE FROM platform.inbox')
  await environment.database.worker.query(
    `INSERT INTO platform.inbox (consumer, event_id, received_at)
     SELECT 'c', n::text, now() - n * interval '1 day' FROM unnest($1::int[]) AS n`,
    [ages],
  )
}

async function left(): Promise<number[]> {
  const { rows } = await environment.database.worker.query<{ eventId: string }>('SELECT event_id FROM platform.inbox')
  return rows.map(({ eventId }) => Number(eventId)).toSorted((a, b) => a - b)
}

const deleteBatch = (differing: Partial<RetentionRule> = {}) =>
  deleteExpired(environment.database.worker, { ...rule, ...differing })

describe('a retention rule', () => {
  it('deletes exactly the expired rows, in batches, the oldest first', async () => {
    expect(await deleteBatch()).toBe(2)
    expect(await left()).toEqual([1, 9, 11, 12, 13])
    expect([await deleteBatch(), await deleteBatch(), await deleteBatch()]).toEqual([2, 1, 0])
    expect(await left()).toEqual([1, 9])
  })

  it('keeps rows that do not fulfil its condition', async () => {
    expect(await deleteBatch({ condition: `event_id = '13' OR event_id = '9'` })).toBe(1)
    expect(await left()).toEqual([1, 9, 11, 12, 14, 15])
  })

  it('waits for no writer, and leaves its rows for a later pass', async () => {
    const writer = await environment.database.worker.connect()
    try {
      await writer.query('BEGIN')
      await writer.query(`UPDATE platform.inbox SET received_at = now() WHERE event_id = '15'`)
      expect(await deleteBatch({ batchRows: 10 })).toBe(4)
      await writer.query('COMMIT')
    } finally {
      writer.release()
    }
    // The writer has renewed the row.
    expect(await deleteBatch()).toBe(0)
    expect(await left()).toEqual([1, 9, 15])
  })

  it('blocks no writer of other rows while a deletion is in progress', async () => {
    const deleting = await environment.database.worker.connect()
    try {
      await deleting.query('BEGIN')
      expect(await deleteExpired(deleting, rule)).toBe(2)
      await environment.database.worker.query(
        `UPDATE platform.inbox SET received_at = now() WHERE event_id IN ('1', '9', '11')`,
      )
      await deleting.query('COMMIT')
    } finally {
      deleting.release()
    }
    expect(await left()).toEqual([1, 9, 11, 12, 13])
  })
})

describe('the workers of retention', () => {
  it('apply the other rules when one fails, and count the deleted rows of each table', async () => {
    const counts: unknown[] = []
    const workers = createRetention({
      database: environment.database,
      service: 'data',
      rules: [{ table: 'missing', column: 'at' }, rule, { ...rule, metric: { name: 'other_total', labels: {} } }],
      log: environment.log,
      metrics: { ...noMetrics, count: (...args) => void counts.push(args) },
    })
    expect(workers).toHaveLength(1)
    await workers[0]?.start()
    await eventually(async () => (await left()).length === 2)
    await workers[0]?.stop()
    expect(counts).toContainEqual(['retention_removed_total', { table: 'inbox' }, 2])
    expect(counts).toContainEqual(['other_total', {}, 2])
    expect(environment.log.entries).toContainEqual(expect.objectContaining({ event: 'worker.pass_failed' }))
  })
})
