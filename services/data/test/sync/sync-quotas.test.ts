import { afterAll, describe, expect, it } from '@jest/globals'
import { setTestQuota } from '@wp/testkit'
import { queryAsWorker } from '../support/database.ts'
import { createRows, startCrawlService, yieldPages } from '../support/sources/scripted-crawls.ts'

const service = await startCrawlService()
afterAll(() => service.stop())

/** Sets the limit of records of the workspace of a source. */
async function limitRecords(source: string, maximum: number): Promise<void> {
  const [row] = await queryAsWorker<{ workspace_id: string }>(
    service.env,
    'SELECT workspace_id FROM data_sources WHERE data_source_id = $1',
    [source],
  )
  await setTestQuota(service.env.DATABASE_WORKER_URL, row?.workspace_id ?? '', 'records', maximum)
}

describe('a sync that would exceed the quota of records', () => {
  it('fails with a config error, keeps what is stored, and continues once the limit is raised', async () => {
    const source = await service.createSource()
    await limitRecords(source, 150)
    service.scriptCrawls(
      yieldPages([
        { rows: createRows(0, 100), cursor: 'hundred' },
        { rows: createRows(100, 200), cursor: 'end' },
      ]),
    )
    expect(await service.runSync(source)).toMatchObject({
      status: 'failed',
      error: {
        code: 'config',
        message: 'The workspace has 100 records; 100 more would exceed the limit of 150',
        retryable: false,
      },
      counts: { created: 100 },
    })
    expect(await service.getSource(source)).toMatchObject({
      record_count: 100,
      status: 'error',
      last_error: { code: 'config', message: expect.stringContaining('limit of 150') },
    })
    await limitRecords(source, 200)
    service.scriptCrawls(yieldPages([{ rows: createRows(100, 200), cursor: 'end' }]))
    expect(await service.runSync(source)).toMatchObject({ status: 'finished', cursor_before: 'hundred' })
    expect(await service.getSource(source)).toMatchObject({ record_count: 200, status: 'active' })
  })

  it('can still replace and delete records', async () => {
    const source = await service.createSource()
    await limitRecords(source, 1000)
    service.scriptCrawls(yieldPages([{ rows: createRows(0, 100) }]))
    await service.runSync(source)
    await limitRecords(source, 10)
    service.scriptCrawls(yieldPages([{ rows: createRows(0, 60) }]))
    expect(await service.runSync(source, 'full')).toMatchObject({ status: 'finished', counts: { deleted: 40 } })
    const [stored] = await queryAsWorker(
      service.env,
      `SELECT stored_bytes::integer = (SELECT sum(bytes) FROM data_records WHERE data_source_id = $1) AS "isExact"
         FROM data_sources WHERE data_source_id = $1`,
      [source],
    )
    expect(stored).toEqual({ isExact: true })
  })
})
