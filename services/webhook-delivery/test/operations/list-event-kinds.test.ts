import { afterAll, describe, expect, it } from '@jest/globals'
import { webhookEventKinds } from '@wp/contracts'
import { z } from 'zod'
import { startHarness } from '../fixture/harness.ts'

const harness = await startHarness()

afterAll(() => harness.stop())

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
