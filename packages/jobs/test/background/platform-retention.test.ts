import { afterAll, describe, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
import { createRetention, platformRetention } from '../../src/background/index.ts'
import { openTestEnvironment } from '../fixture/test-environment.ts'

const environment = await openTestEnvironment()
afterAll(() => environment.close())

describe('the retention of platform tables', () => {
  it('deletes published events after 8 days, inbox rows after 15 and idempotency keys and turns after 24 hours, and keeps unpublished events and dead letters', async () => {
    await environment.queryAsAdmin(`
      INSERT INTO platform.outbox (id, kind, workspace_id, occurred_at, actor, request_id, data, published_at)
      SELECT 'evt_' || n, 'K', '', now(), '{}', 'r', '{}',
             CASE WHEN n > 0 THEN now() - interval '1 hour' * n END
      FROM unnest(ARRAY[0, 1, 191, 193, 300, 301, 302]) AS n;
      INSERT INTO platform.inbox (consumer, event_id, received_at)
      SELECT 'c', 'evt_' || n, now() - interval '1 day' * n FROM unnest(ARRAY[1, 14, 16]) AS n;
      INSERT INTO platform.idempotency (principal_id, workspace_id, route, key, fingerprint, response, created_at)
      SELECT 'p', 'w', 'r', n::text, 'f', '{}', now() - interval '1 hour' * n FROM unnest(ARRAY[23, 25]) AS n;
      INSERT INTO platform.dead_events (consumer, event_id, workspace_id, content, failures, error, failed_at, died_at, redrive_at)
      VALUES ('c', 'dead', '', '{}', 5, 'e', now() - interval '99 days', now() - interval '99 days', NULL),
             ('c', 'redriven', '', '{}', 0, 'e', now() - interval '99 days', NULL, now()),
             ('c', 'failing', '', '{}', 2, 'e', now(), NULL, NULL),
             ('c', 'forgotten', '', '{}', 2, 'e', now() - interval '16 days', NULL, NULL);
      INSERT INTO platform.job_turns (queue, workspace_id, served_at)
      SELECT 'q', n::text, now() - interval '1 hour' * n FROM unnest(ARRAY[23, 25]) AS n`)
    const rules = platformRetention.map((rule) => ({ ...rule, batchRows: 2 }))
    const [retention] = createRetention({
      database: environment.database,
      service: 'data',
      log: environment.log,
      rules,
    })
    await retention?.start()
    const left = async (table: string, column: string) =>
      (
        await environment.queryAsAdmin<{ name: string }>(`SELECT ${column} AS name FROM platform.${table} ORDER BY 1`)
      ).map(({ name }) => name)
    await eventually(async () => (await left('outbox', 'id')).length === 3)
    await retention?.stop()
    expect(await left('outbox', 'id')).toEqual(['evt_0', 'evt_1', 'evt_191'])
    expect(await left('inbox', 'event_id')).toEqual(['evt_1', 'evt_14'])
    expect(await left('idempotency', 'key')).toEqual(['23'])
    expect(await left('dead_events', 'event_id')).toEqual(['dead', 'failing', 'redriven'])
    expect(await left('job_turns', 'workspace_id')).toEqual(['23'])
  })
})
