import { expect, test } from '@jest/globals'
import { consolePageOf } from '../src/index.ts'

const suffix = '01h455vb4pex5vsknk084sn02q'

test('a notification opens the page of its resource', () => {
  const page = (link: string | null, kind = 'X') => consolePageOf({ kind, link })
  expect(page(`/v1/solutions/workplace/forecasting/fr_${suffix}`)).toBe(`forecasts/fr_${suffix}`)
  expect(page(`/v1/audit/docs/doc_${suffix}`)).toBe(`audit/exports/doc_${suffix}`)
  expect(page(`/v1/solutions/recommendations/rcm_${suffix}`)).toBe('recommendations')
  expect(page(`/v1/solutions/workplace/scenarios/scn_${suffix}`)).toBe(`scenarios/scn_${suffix}`)
  expect(page(`/v1/solutions/workplace/plans/dpl_${suffix}`)).toBe(`plans/dpl_${suffix}`)
  expect(page(`/v1/solutions/workplace/plan-schedules/pls_${suffix}`)).toBe('plans')
})

test('a notification without a page has no link', () => {
  expect(consolePageOf({ kind: 'X', link: null })).toBeUndefined()
  expect(consolePageOf({ kind: 'X', link: `/v1/data/syncs/sync_${suffix}` })).toBeUndefined()
  expect(consolePageOf({ kind: 'X', link: 'https://example.com/' })).toBeUndefined()
})

test('a kind whose resource is gone opens the list', () => {
  expect(consolePageOf({ kind: 'API_KEY_REVOKED', link: `/v1/auth/api-key/akey_${suffix}` })).toBe('developer')
  expect(consolePageOf({ kind: 'USAGE_LIMIT_REACHED', link: null })).toBe('usage')
})
