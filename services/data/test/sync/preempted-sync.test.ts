import { afterAll, describe, expect, it } from '@jest/globals'
import { newId } from '@wp/database'
import { eventually, untilAborted } from '@wp/testkit'
import { queue } from '../../src/sync/sync-job.ts'
import { queryAsWorker } from '../support/database.ts'
import { type CrawlService, createRows, startCrawlService, yieldPages } from '../support/sources/scripted-crawls.ts'

const service = await startCrawlService({ SYNC_CONCURRENCY: '2' })
afterAll(() => service.stop())

type Script = Parameters<CrawlService['scriptCrawls']>[0]

/** Queues a sync of another workspace, which fails at once because its source does not exist. */
async function startSyncElsewhere(): Promise<string> {
  const id = newId('sync')
  await queryAsWorker(
    service.env,
    `INSERT INTO platform.jobs (id, queue, workspace_id, subject, input) VALUES ($1, $2, $3, 'src_none', '{"trigger":"schedule"}')`,
    [id, queue, newId('ws')],
  )
  return id
}

const readJob = async (id: string) => {
  const [job] = await queryAsWorker<{ state: string; failures: number; lost_leases: number }>(
    service.env,
    'SELECT state, failures, lost_leases FROM platform.jobs WHERE id = $1',
    [id],
  )
  return job
}

describe('a sync in a lent slot', () => {
  it('ends when another workspace needs the slot, and continues from its cursor', async () => {
    const [first, second] = [await service.createSource(), await service.createSource()]
    const end = Promise.withResolvers<void>()
    const waitForEnd: Script = async function* () {
      await end.promise
      yield { rows: createRows(0, 1) }
      return 'complete'
    }
    const endless: Script = async function* ({ signal }) {
      yield { rows: createRows(0, 3), cursor: 'three' }
      // Read ahead of the batch that stores the rows above.
      yield { rows: [] }
      throw await untilAborted(signal)
    }
    service.scriptCrawls(waitForEnd, endless, yieldPages([{ rows: createRows(3, 5), cursor: 'five' }]))
    const own = await service.startSync(first)
    await eventually(() => service.crawls.length === 1)
    const lent = await service.startSync(second)
    await eventually(async () => Object.keys(await service.readRecords(second)).length === 3)

    const elsewhere = await startSyncElsewhere()
    await eventually(async () => (await readJob(elsewhere))?.state === 'failed')
    expect(await service.waitForSync(lent)).toMatchObject({
      status: 'finished',
      counts: { seen: 5, created: 5, updated: 0, deleted: 0, failed: 0 },
      cursor_after: 'five',
    })
    expect(service.crawls.map(({ cursor }) => cursor)).toEqual([undefined, undefined, 'three'])
    expect(await readJob(lent)).toMatchObject({ failures: 0, lost_leases: 0 })
    expect(await readJob(own)).toMatchObject({ state: 'running' })
    end.resolve()
    expect(await service.waitForSync(own)).toMatchObject({ status: 'finished' })
  })
})
