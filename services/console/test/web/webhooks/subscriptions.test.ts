import { describe, expect, it } from '@jest/globals'
import { checkEndpoint, isNewOrigin } from '../../../web/src/webhooks/shared/check-endpoint.ts'
import { groupByArea, searchKinds } from '../../../web/src/webhooks/shared/event-kinds.ts'
import { toHeadersPatch } from '../../../web/src/webhooks/shared/header-rows.ts'
import { nameOfSubscription } from '../../../web/src/webhooks/shared/subscription-name.ts'

describe('checkEndpoint', () => {
  const states = (text: string) => checkEndpoint(text).map(({ state }) => state)
  it.each([
    ['', ['open', 'open', 'open']],
    ['https://example.com/hook', ['met', 'met', 'met']],
    ['https://example.com:8443/', ['met', 'met', 'met']],
    ['http://example.com', ['unmet', 'met', 'met']],
    ['https://user:secret@example.com:22/', ['met', 'unmet', 'unmet']],
    ['example', ['unmet', 'unmet', 'unmet']],
  ])('of %j', (text, expected) => expect(states(text)).toEqual(expected))
})

it('isNewOrigin compares scheme, host and port', () => {
  expect(isNewOrigin('https://a.example/1', 'https://a.example/2')).toBe(false)
  expect(isNewOrigin('https://a.example/', 'https://a.example:8443/')).toBe(true)
  expect(isNewOrigin(null, 'https://a.example/')).toBe(false)
})

describe('toHeadersPatch', () => {
  const stored = { key: 1, name: 'x-kept', value: '', isStored: true }
  it('removes, replaces and adds headers, and does not mention unchanged ones', () => {
    const rows = [stored, { key: 2, name: 'x-new', value: 'v', isStored: false }]
    expect(toHeadersPatch(['x-kept', 'x-gone'], rows)).toEqual({ 'x-gone': null, 'x-new': 'v' })
    expect(toHeadersPatch(['x-kept'], [{ ...stored, value: 'w', isStored: false }])).toEqual({ 'x-kept': 'w' })
  })
  it('is undefined when nothing changes', () => expect(toHeadersPatch(['x-kept'], [stored])).toBeUndefined())
})

it('kinds are searched by every word of name, summary and area, and grouped by area', () => {
  const kinds = [
    { kind: 'FORECASTING_FAILED', summary: 'A forecast run failed' },
    { kind: 'DATA_SYNC_FAILED', summary: 'A sync failed' },
    { kind: 'SOMETHING_NEW', summary: 'Later' },
  ]
  expect(searchKinds(kinds, 'failed data')).toEqual([kinds[1]])
  expect(groupByArea(kinds).map(({ area }) => area)).toEqual(['Forecasts', 'Data', 'Other'])
})

it('a subscription without a description is named by its endpoint', () => {
  const of = (endpoint: string | null) => nameOfSubscription({ description: null, endpoint, webhook_id: 'wh_1' })
  expect([of('https://a.example:8443/'), of('https://a.example/hook'), of(null)]).toEqual([
    'a.example:8443',
    'a.example/hook',
    'wh_1',
  ])
})
