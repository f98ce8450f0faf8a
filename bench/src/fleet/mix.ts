import { forecastInput, forecastPath } from '../neighbours/attacks/forecasts.ts'
import { generateRecords, queryKinds } from '../search/synthetic-corpus.ts'
import type { LoadWorkspace } from './load-fleet.ts'

/** Returns a number from 0 to 1, without 1. */
export type Random = () => number

export interface LoadRequest {
  method: 'GET' | 'POST'
  path: string
  headers: Record<string, string>
  body?: string
}

/** A kind of request of the load. */
export interface Operation {
  name: string
  /** Percent of all requests. */
  share: number
  /** Why the operation has this share. */
  reason: string
  /** The credential if the endpoint accepts one kind alone. */
  credential?: 'token'
  /** A property that only some workspaces have. */
  requires?: 'agentId' | 'forecastRunId'
  request(workspace: LoadWorkspace, random: Random): Omit<LoadRequest, 'headers'> & { headers?: Record<string, string> }
  /** Returns what a response with a status of success says went wrong. */
  findProblem?(body: string): string | undefined
}

export function pick<Item>(items: readonly Item[], random: Random): Item {
  const item = items[Math.floor(random() * items.length)]
  if (item === undefined) throw new Error('there is nothing to pick from')
  return item
}

const get = (path: string) => ({ method: 'GET', path }) as const
const post = (path: string, body: object) => ({ method: 'POST', path, body: JSON.stringify(body) }) as const

const recordsPerUpload = 20
/** Two weeks of hours. */
const pointsPerForecast = 336
const forecastBody = JSON.stringify(forecastInput(1, pointsPerForecast))

const generateQuery = (random: Random): string => pick(Object.values(queryKinds), random)(random).trim()
const uploadOf = (random: Random): string => {
  const rows = Buffer.concat([...generateRecords(recordsPerUpload, Math.floor(random() * 2 ** 31))]).toString()
  // New records, as devices send readings and not changes of earlier ones.
  const batch = Math.floor(random() * 2 ** 31)
  return rows.replaceAll('{"id":"', `{"id":"${batch}-`)
}

/**
 * The load: requests of clients that search and read much more than they write, as is usual for an API over data.
 * The shares are assumptions, not measurements of users; change them to those of the edge's metrics of a real fleet.
 */
export const mix: readonly Operation[] = [
  {
    name: 'search',
    share: 24,
    reason: 'what the platform is used for most; each kind of query of `bench search` as often as the others',
    request: (_, random) => get(`/v1/data/search?${new URLSearchParams({ q: generateQuery(random), limit: '10' })}`),
  },
  {
    name: 'read record',
    share: 18,
    reason: 'a user opens three of four results',
    request: ({ recordIds }, random) => get(`/v1/data/records/${pick(recordIds, random)}`),
  },
  {
    name: 'list sources',
    share: 10,
    reason: 'the first request of a dashboard',
    request: () => get('/v1/data/sources'),
  },
  {
    name: 'list records',
    share: 8,
    reason: 'the second one',
    request: ({ sourceId }) => get(`/v1/data/sources/${sourceId}/records?limit=25`),
  },
  {
    name: 'list forecast runs',
    share: 5,
    reason: 'a dashboard shows them beside the sources, every second time',
    request: () => get(forecastPath),
  },
  {
    name: 'read forecast run',
    share: 5,
    requires: 'forecastRunId',
    reason: 'clients poll a run five times, and read its result often',
    request: ({ forecastRunId }) => get(`${forecastPath}/${forecastRunId}`),
  },
  {
    name: 'read own profile',
    share: 4,
    reason: 'clients test their credential at their start',
    request: () => get('/v1/auth/me'),
  },
  {
    name: 'list agents',
    share: 3,
    reason: 'pages of the console',
    request: () => get('/v1/agents/agents'),
  },
  {
    name: 'list deliveries',
    share: 3,
    reason: 'integrators look for what did not arrive',
    request: ({ webhookId }) => get(`/v1/webhooks/webhooks/${webhookId}/deliveries`),
  },
  {
    name: 'list notifications',
    share: 2,
    reason: 'pages of the console',
    request: () => get('/v1/notifications/events'),
  },
  {
    name: 'list audit records',
    share: 2,
    reason: 'compliance tools poll the log',
    request: () => get('/v1/audit/logs'),
  },
  {
    name: 'read usage',
    share: 2,
    reason: 'pages of the console; it asks every service',
    request: () => get('/v1/system/usage'),
  },
  {
    name: 'call tool (MCP)',
    share: 3,
    reason: 'assistants of users search too',
    request: (_, random) => ({
      ...post('/api/v1/mcp/mcp', {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'search_records', arguments: { query: generateQuery(random) } },
      }),
      headers: { accept: 'application/json, text/event-stream' },
    }),
    findProblem: (body) => (body.includes('"isError":true') || !body.includes('"result"') ? 'tool failed' : undefined),
  },
  {
    name: 'run agent',
    share: 1,
    requires: 'agentId',
    reason: 'a run costs the money of a model; this one answers at once, so that only the platform is measured',
    request: ({ agentId }) => post(`/v1/ai/agents/${agentId}/run`, { input: 'Which rooms are full on Monday?' }),
    findProblem: (body) => (body.includes('"status":"finished"') ? undefined : 'run failed'),
  },
  {
    name: 'upload records',
    share: 5,
    reason: 'devices and pipelines send batches of 20 records',
    request: ({ sourceId }, random) => ({
      method: 'POST',
      path: `/v1/data/sources/${sourceId}/records`,
      body: uploadOf(random),
      headers: { 'content-type': 'application/x-ndjson' },
    }),
  },
  {
    name: 'set variable',
    share: 1,
    reason: 'settings change rarely',
    request: (_, random) =>
      post('/v1/system/workspace/variables', {
        name: `LOAD_${Math.floor(random() * 50)}`,
        value: `${Math.floor(random() * 1e6)}`,
      }),
  },
  {
    name: 'create API key',
    share: 3,
    credential: 'token',
    reason: 'stands for all writes that cause an event, so it is far more frequent than in reality',
    request: () => post('/v1/auth/api-key', { scopes: ['data:read'] }),
  },
  {
    name: 'start forecast',
    share: 1,
    reason: 'a run takes the processor as long as dozens of reads; dashboards start one an hour',
    request: () => ({ method: 'POST', path: forecastPath, body: forecastBody }),
  },
]
