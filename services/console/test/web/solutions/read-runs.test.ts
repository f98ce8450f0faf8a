import { expect, it } from '@jest/globals'
import { readRuns } from '../../../web/src/solutions/forecasts/read-runs.ts'

/** A client whose workspace has runs of these ids, newest first; it counts its requests. */
function clientWith(count: number) {
  const requests: unknown[] = []
  const api = {
    solutions: {
      listForecastRuns: async ({ query }: { query: { cursor?: string; limit: number } }) => {
        requests.push(query)
        const first = Number(query.cursor ?? 0)
        const items = Array.from({ length: Math.min(query.limit, count - first) }, (_, at) => ({ id: first + at }))
        return { items, nextCursor: first + query.limit < count ? String(first + query.limit) : null }
      },
    },
  }
  // The part of the client that is called.
  return { api: api as unknown as Parameters<typeof readRuns>[0], requests }
}

const idIs = (wanted: number) => (run: object) => 'id' in run && run.id === wanted

it('reads until a run that is looked for', async () => {
  const { api, requests } = clientWith(350)
  const { runs, isCut } = await readRuns(api, { status: 'finished' }, {}, idIs(150))
  expect([runs.length, isCut]).toEqual([151, true])
  expect(requests).toEqual([
    { status: 'finished', limit: 100 },
    { status: 'finished', limit: 100, cursor: '100' },
  ])
})

it('reads all runs, at most 500, when none is looked for', async () => {
  expect((await readRuns(clientWith(350).api, {}, {})).isCut).toBe(false)
  const { runs, isCut } = await readRuns(clientWith(900).api, {}, {})
  expect([runs.length, isCut]).toEqual([500, true])
})
