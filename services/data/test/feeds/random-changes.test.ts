import { afterAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { createSubscriber, type FeedSubscriber, readStoredRows } from '../support/feed-subscriber.ts'
import { startDataService } from '../support/service.ts'
import { createRow, startCrawlService, yieldPages } from '../support/sources/scripted-crawls.ts'

const service = await startDataService()
afterAll(() => service.stop())

const fields = ['v', 'w']

/** Rows by key: few keys and values, so that records have equal rows, change and change back. */
const rows = fc.dictionary(
  fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
  fc.record({
    v: fc.constantFrom<unknown>(1, '1', 'x', '', null, { deep: [1] }),
    w: fc.constantFrom<unknown>(true, 0.1, 'y'),
    other: fc.nat(2),
  }),
  { minKeys: 1 },
)
type Rows = Record<string, Record<string, unknown>>

type Step =
  | { kind: 'upload' | 'full'; rows: Rows }
  | { kind: 'delete'; keys: string[] }
  | { kind: 'pull'; limit: number; isLost: boolean }
  | { kind: 'open' }

const steps: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: fc.record({ kind: fc.constant('upload' as const), rows }), weight: 3 },
  { arbitrary: fc.record({ kind: fc.constant('full' as const), rows }), weight: 2 },
  {
    arbitrary: fc.record({
      kind: fc.constant('delete' as const),
      keys: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { minLength: 1 }),
    }),
    weight: 2,
  },
  {
    arbitrary: fc.record({
      kind: fc.constant('pull' as const),
      limit: fc.integer({ min: 1, max: 4 }),
      isLost: fc.boolean(),
    }),
    weight: 6,
  },
  { arbitrary: fc.constant({ kind: 'open' as const }), weight: 1 },
)

async function take(step: Step, source: string, subscriber: FeedSubscriber): Promise<unknown> {
  if (step.kind === 'open') return subscriber.open()
  if (step.kind === 'pull') return subscriber.pull(step)
  if (step.kind === 'delete')
    return service.request('POST', `/v1/data/sources/${source}/records/delete`, { body: { keys: step.keys } })
  const body = Object.entries(step.rows).map(([id, row]) => ({ id, ...row }))
  return service.request(
    'POST',
    `/v1/data/sources/${source}/records${step.kind === 'full' ? '?mode=full&allow_deletions=true' : ''}`,
    { rawBody: JSON.stringify(body), headers: { 'content-type': 'application/json' } },
  )
}

describe('a subscriber', () => {
  // A group of steps runs at the same time; one subscriber reads one page at a time.
  const groups = fc.array(
    fc.array(steps, { minLength: 1, maxLength: 3 }).filter((group) => group.filter(isOfSubscriber).length < 2),
    { minLength: 4, maxLength: 14 },
  )

  it('has exactly the rows of the source after any changes, reads and lost pages', async () => {
    await fc.assert(
      fc.asyncProperty(groups, async (chosen) => {
        const source = await service.createSource({ config: { key: 'id' } })
        const subscriber = createSubscriber(service.request, source, fields)
        await subscriber.open()
        for (const group of chosen) await Promise.all(group.map((step) => take(step, source, subscriber)))
        await subscriber.pullAll(3)
        expect(subscriber.rows()).toEqual(await readStoredRows(service.env, source, fields))
      }),
      { numRuns: 25 },
    )
  })
})

const isOfSubscriber = ({ kind }: Step) => kind === 'pull' || kind === 'open'

describe('a subscriber of a source that is synced', () => {
  it('has exactly its rows after full syncs and a reindex', async () => {
    const crawls = await startCrawlService()
    try {
      const source = await crawls.createSource({ config: { key: 'id', max_deletion_share: 1 } })
      const subscriber = createSubscriber(crawls.requestAs, source, fields)
      await subscriber.open()
      const sync = async (from: number, to: number, v: number) => {
        const page = Array.from({ length: to - from }, (_, nth) =>
          createRow({ id: `${from + nth}`, v: (from + nth) % v, w: 'text' }),
        )
        crawls.scriptCrawls(yieldPages([{ rows: page.slice(0, 100) }, { rows: page.slice(100) }]))
        expect((await crawls.runSync(source, 'full')).status).toBe('finished')
      }
      await sync(0, 300, 7)
      await subscriber.pull({ limit: 150 })
      await sync(100, 400, 5)
      await subscriber.pull({ limit: 150, isLost: true })
      await crawls.request('PATCH', `/v1/data/sources/${source}`, { config: { title_field: 'w' } })
      await sync(250, 500, 5)
      await subscriber.pullAll(100)
      const stored = await readStoredRows(crawls.env, source, fields)
      expect([stored.length, subscriber.rows()]).toEqual([250, stored])
    } finally {
      await crawls.stop()
    }
  })
})
