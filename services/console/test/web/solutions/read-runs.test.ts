import { expect, it } from '@jest/globals'
import { ApiError } from '@wp/client/browser'
import { readNames, rememberMissing } from '../../../web/src/names/name-readers.ts'
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

interface Fetched {
  queryKey: string[]
  queryFn: () => Promise<unknown>
  staleTime: (query: { state: { data: unknown } }) => number
}

it('a resource that is not found is asked for once, and others again, when their names are read', async () => {
  const asked: string[] = []
  const reader = {
    scope: 'auth:read' as const,
    read: async () => ({ names: [], nextCursor: null }),
    hasFormerIds: true as const,
    one: async (_: unknown, id: string) => {
      asked.push(id)
      if (id === 'usr_gone') throw new ApiError(Response.json({}, { status: 404 }), {})
      return 'Ada'
    },
  }
  const cache = new Map<string, unknown>()
  const fetchQuery = async ({ queryKey, queryFn, staleTime }: Fetched) => {
    const key = queryKey.join()
    const isFresh = cache.has(key) && staleTime({ state: { data: cache.get(key) } }) > 0
    return cache.set(key, isFresh ? cache.get(key) : await queryFn()).get(key)
  }
  // The one member that is used, with the options that are given.
  const client = { fetchQuery } as unknown as Parameters<typeof rememberMissing>[1]
  const names = rememberMissing(reader, client, 'ws_1')
  const read = () => readNames(names, ['usr_gone', 'usr_1'], clientWith(0).api, { signal: AbortSignal.any([]) }, {})
  expect([await read(), await read()]).toEqual([[['usr_1', 'Ada']], [['usr_1', 'Ada']]])
  expect(asked).toEqual(['usr_gone', 'usr_1', 'usr_1'])
})
