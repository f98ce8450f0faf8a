import { afterAll, describe, expect, it } from '@jest/globals'
import { webhookEventKinds } from '@wp/contracts'
import { newId } from '@wp/database'
import { setTestQuota } from '@wp/testkit'
import { z } from 'zod'
import { startHarness } from '../fixture/harness.ts'

const harness = await startHarness()
afterAll(() => harness.stop())

const create = (filter: unknown, events = ['*']) =>
  harness.call('POST', '/webhooks', { delivery: 'poll', events, filter })
const conditions = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, 1]))

describe('the filter of a subscription', () => {
  it.each([
    ['an unknown operator', { all: { status: { equals: 'x' } } }, '/filter/all/status/equals', /not a known field/],
    ['`contains` without a text', { any: [{ name: { contains: 5 } }] }, '/filter/any/0/name/contains', /a string/],
    ['a path that is no path', { all: { 'a..b': 1 } }, '/filter/all/a..b', /path of at most 8 field names/],
    ['a path that is too deep', { all: { 'a.b.c.d.e.f.g.h.i': 1 } }, '/filter/all/a.b.c.d.e.f.g.h.i', /at most 8/],
    ['no group', {}, '/filter', /must have `all` or `any`/],
    ['no condition', { all: {} }, '/filter/all', /must have a condition/],
    ['an empty alternative', { any: [{ status: 'x' }, {}] }, '/filter/any/1', /must have a condition/],
    ['too many conditions', { all: conditions(15), any: [conditions(6)] }, '/filter', /at most 20 conditions/],
    ['too much text', { all: { a: { in: Array(9).fill('x'.repeat(1_000)) } } }, '/filter', /at most 8192 characters/],
  ])('is rejected with a pointer: %s', async (_, filter, pointer, detail) => {
    expect(await create(filter)).toMatchObject({
      status: 400,
      body: {
        code: 'validation_failed',
        errors: expect.arrayContaining([{ pointer, detail: expect.stringMatching(detail) }]),
      },
    })
  })

  it('is returned, replaced as a whole and removed', async () => {
    const filter = { all: { status: 'failed' }, any: [{ 'error.code': { in: ['auth', 'timeout'] } }] }
    const { body } = await create(filter)
    const path = `/webhooks/${body.data.webhook_id}`
    expect(body.data.filter).toEqual(filter)
    const read = async () => (await harness.call('GET', path)).body.data.filter
    await harness.call('PATCH', path, { description: 'other' })
    expect(await read()).toEqual(filter)
    await harness.call('PATCH', path, { filter: { all: { 'counts.failed': { gt: 0 } } } })
    expect(await read()).toEqual({ all: { 'counts.failed': { gt: 0 } } })
    await harness.call('PATCH', path, { filter: null })
    expect(await read()).toBeNull()
  })

  it('gets a warning about fields that no selected event kind has', async () => {
    const filter = { all: { 'counts.failed': 1, 'count.failed': 1, event: 'X' }, any: [{ plan_id: 'plan_1' }] }
    const { body } = await create(filter, ['DATA_SYNC_FINISHED'])
    const named = body.data.warnings.map((warning: string) => /names the field (\S+),/.exec(warning)?.[1])
    expect(named).toEqual(['count.failed', 'plan_id'])
    expect((await create(filter)).body.data.warnings).toHaveLength(1)
  })
})

describe('the catalogue of event kinds', () => {
  it('describes every kind with a schema of its payload and a valid example', async () => {
    const { body } = await harness.call('GET', '/events')
    expect(body.data).toHaveLength(webhookEventKinds.length)
    const kind = body.data.find((entry: { kind: string }) => entry.kind === 'FORECASTING_FINISHED')
    expect(kind).toEqual({
      kind: 'FORECASTING_FINISHED',
      summary: expect.any(String),
      schema: expect.objectContaining({ type: 'object', required: ['id', 'status', 'occurred_at'] }),
      example: { id: expect.any(String), status: 'finished', occurred_at: '2026-01-05T09:30:00.000Z' },
    })
    for (const { schema, example } of body.data) {
      expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema')
      expect(z.fromJSONSchema(schema).safeParse(example)).toMatchObject({ success: true })
      expect(z.fromJSONSchema(schema).safeParse({ ...example, status: 7 })).toMatchObject({ success: false })
      expect(Object.keys(schema.properties)).toEqual(expect.arrayContaining(Object.keys(example)))
      expect(Object.keys(example)).toEqual(expect.arrayContaining(schema.required))
    }
  })

  it('is paginated', async () => {
    const kinds: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { body } = await harness.call('GET', `/events?limit=5${cursor === '' ? '' : `&cursor=${cursor}`}`)
      kinds.push(...body.data.map((entry: { kind: string }) => entry.kind))
      cursor = body.pagination.next_cursor
    }
    expect(kinds).toEqual(webhookEventKinds.toSorted())
    expect((await harness.call('GET', '/events?cursor=nonsense')).body.code).toBe('invalid_cursor')
  })
})

describe('a subscription', () => {
  const endpoint = 'https://127.0.0.1:8443/'

  it('accepts every kind of the catalogue, and * for all kinds', async () => {
    await harness.subscribe({ endpoint, events: webhookEventKinds })
    await harness.subscribe({ endpoint, events: ['*'] })
  })
})

const subscription = { endpoint: 'https://127.0.0.1:8443/hook', events: ['*'], secret: 'a-secret-of-some-length' }

describe('the quota of subscriptions', () => {
  it('admits exactly one of 50 concurrent creations when one is left', async () => {
    const options = { workspaceId: newId('ws') }
    await setTestQuota(harness.service.env.DATABASE_WORKER_URL, options.workspaceId, 'subscriptions', 3)
    const create = () => harness.call('POST', '/webhooks', subscription, options)
    await create()
    await create()
    const responses = await Promise.all(Array.from({ length: 50 }, create))
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(responses.find(({ status }) => status !== 201)).toMatchObject({
      status: 403,
      body: { code: 'quota_exceeded', quota: 'subscriptions', limit: 3, current: 3 },
    })
  })
})

describe('the quota of queued replays', () => {
  it('rejects a replay when it is exhausted', async () => {
    const options = { workspaceId: newId('ws') }
    await setTestQuota(harness.service.env.DATABASE_WORKER_URL, options.workspaceId, 'queued_jobs', 0)
    const webhookId = await harness.subscribe(subscription, options)
    const range = { since: '2026-01-01T00:00:00.000Z', until: '2026-01-02T00:00:00.000Z' }
    expect(await harness.call('POST', `/webhooks/${webhookId}/replay`, range, options)).toMatchObject({
      status: 403,
      body: { code: 'quota_exceeded', quota: 'queued_jobs', kind: 'replay', limit: 0, current: 0 },
    })
  })
})
