import type { Random } from '@wp/lab/random'
import { forecastInput, forecastPath } from '../neighbours/attacks/forecasts.ts'
import { generateRecords, queryKinds } from '../search/synthetic-corpus.ts'
import type { LoadWorkspace } from './load-fleet.ts'

interface PlannedRequest {
  method: 'GET' | 'POST'
  path: string
  headers?: Record<string, string>
  body?: string
}

/** A kind of request of the load. */
export interface Operation {
  name: string
  /** Percent of all requests; docs/load.md says why. */
  share: number
  /** The credential if the endpoint accepts one kind alone. */
  credential?: 'token'
  /** A property that only some workspaces have. */
  requires?: 'agentId' | 'forecastRunId'
  request(workspace: LoadWorkspace, random: Random): PlannedRequest
  /** Returns what a response with a status of success says went wrong. */
  findProblem?(body: string): string | undefined
}

const get = (path: string): PlannedRequest => ({ method: 'GET', path })
const post = (path: string, body: object): PlannedRequest => ({ method: 'POST', path, body: JSON.stringify(body) })

const recordsPerUpload = 20
const upload = ({ sourceId }: LoadWorkspace, random: Random): PlannedRequest => {
  const rows = [...generateRecords(recordsPerUpload, Math.floor(random.next() * 2 ** 31))].join('')
  // New records, as devices send readings and not changes of earlier ones.
  const body = rows.replaceAll('{"id":"', `{"id":"${Math.floor(random.next() * 2 ** 31)}-`)
  const path = `/v1/data/sources/${sourceId}/records`
  return { method: 'POST', path, body, headers: { 'content-type': 'application/x-ndjson' } }
}

const generateQuery = (random: Random): string => random.pick(Object.values(queryKinds))(random.next).trim()
const search = (_: LoadWorkspace, random: Random) =>
  get(`/v1/data/search?${new URLSearchParams({ q: generateQuery(random), limit: '10' })}`)
const callTool = (_: LoadWorkspace, random: Random): PlannedRequest => {
  const params = { name: 'search_records', arguments: { query: generateQuery(random) } }
  const call = post('/api/v1/mcp/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  return { ...call, headers: { accept: 'application/json, text/event-stream' } }
}

const setVariable = (_: LoadWorkspace, random: Random) => {
  const variable = { name: `LOAD_${Math.floor(random.next() * 50)}`, value: `${Math.floor(random.next() * 1e6)}` }
  return post('/v1/system/workspace/variables', variable)
}

/** Two weeks of hours. */
const forecastRun = post(forecastPath, forecastInput(1, 336))

function operation(name: string, share: number, request: Operation['request'], more?: Partial<Operation>): Operation {
  return { name, share, request, ...more }
}

/**
 * The load: requests of clients that search and read much more than they write, as is usual for an API over data.
 * The shares are assumptions, not measurements of users; change them to those of the edge's metrics of a real fleet.
 */
export const mix: readonly Operation[] = [
  operation('search', 24, search),
  operation('read record', 18, ({ recordIds }, random) => get(`/v1/data/records/${random.pick(recordIds)}`)),
  operation('list sources', 10, () => get('/v1/data/sources')),
  operation('list records', 8, ({ sourceId }) => get(`/v1/data/sources/${sourceId}/records?limit=25`)),
  operation('list forecast runs', 5, () => get(forecastPath)),
  operation('read forecast run', 5, ({ forecastRunId }) => get(`${forecastPath}/${forecastRunId}`), {
    requires: 'forecastRunId',
  }),
  operation('read own profile', 4, () => get('/v1/auth/me')),
  operation('list agents', 3, () => get('/v1/agents/agents')),
  operation('list deliveries', 3, ({ webhookId }) => get(`/v1/webhooks/webhooks/${webhookId}/deliveries`)),
  operation('list notifications', 2, () => get('/v1/notifications/events')),
  operation('list audit records', 2, () => get('/v1/audit/logs')),
  operation('read usage', 2, () => get('/v1/system/usage')),
  operation('call tool (MCP)', 3, callTool, {
    findProblem: (body) => (body.includes('"isError":true') || !body.includes('"result"') ? 'tool failed' : undefined),
  }),
  // The model answers at once, so that only the platform is measured.
  operation('run agent', 1, ({ agentId }) => post(`/v1/ai/agents/${agentId}/run`, { input: 'Which rooms are full?' }), {
    requires: 'agentId',
    findProblem: (body) => (body.includes('"status":"finished"') ? undefined : 'run failed'),
  }),
  operation('upload records', 5, upload),
  operation('set variable', 1, setVariable),
  operation('create API key', 3, () => post('/v1/auth/api-key', { scopes: ['data:read'] }), { credential: 'token' }),
  operation('start forecast', 1, () => forecastRun),
]
