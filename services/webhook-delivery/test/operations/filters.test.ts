import { afterAll, describe, expect, it } from '@jest/globals'
import { startHarness } from '../fixture/harness.ts'

const harness = await startHarness()
afterAll(() => harness.stop())

const create = (filter: unknown, events = ['*']) =>
  harness.call('POST', '/webhooks', { delivery: 'poll', events, filter })
const conditions = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, 1]))

describe('the filter of a subscription', () => {
  it.each([
    ['an unknown operator', { all: { status: { equals: 'x' } } }, '/filter/all/status/equals', /not a known field/],
    ['a misspelt group', { al: { status: 'x' } }, '/filter/al', /did you mean all/],
    ['a bound of another type', { all: { 'counts.failed': { gt: true } } }, '/filter/all/counts.failed/gt', /must be/],
    ['a value of another type', { all: { status: null } }, '/filter/all/status', /must be/],
    ['`contains` without a text', { any: [{ name: { contains: 5 } }] }, '/filter/any/0/name/contains', /a string/],
    ['nested alternatives', { any: [{ any: [{ status: 'x' }] }] }, '/filter/any/0/any', /must be/],
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
