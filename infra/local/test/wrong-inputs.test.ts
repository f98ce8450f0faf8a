import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startTestFleet, type TestFleet } from '@wp/testkit'

let fleet: TestFleet
let token: string
let sourceId: string
beforeAll(async () => {
  const services = ['auth', 'audit', 'data', 'integrations', 'solutions', 'system', 'webhook-delivery'] as const
  fleet = await startTestFleet({ services })
  token = await fleet.token(fleet.owner)
  const source = { name: 'Counts', provider: 'upload', config: { key: 'id', fields: { people: { type: 'number' } } } }
  sourceId = (await fleet.request('POST', '/v1/data/sources', { as: token, body: source })).body.data.data_source_id
  const rows = [{ id: 'a', day: '2026-01-05', building: 'north', people: 80 }]
  await fleet.request('POST', `/v1/data/sources/${sourceId}/records`, { as: token, body: rows })
})
afterAll(() => fleet?.stop())

/** Sends a wrong input, and returns the messages of its fields; of a response without fields its detail. */
async function messagesOf(request: string, input: unknown, headers: Record<string, string> = {}): Promise<string[]> {
  const [method = '', path = ''] = request.replace('{source}', sourceId).split(' ')
  const sent = typeof input === 'string' ? { rawBody: input } : input === undefined ? {} : { body: withSource(input) }
  const type = typeof input === 'string' ? { 'content-type': 'application/json' } : {}
  const response = await fleet.request(method, path, { as: token, ...sent, headers: { ...type, ...headers } })
  expect({ status: response.status, body: response.body }).toMatchObject({ status: 400, body: { success: false } })
  const { errors = [], detail } = response.body
  return errors.length === 0
    ? [detail]
    : errors.map((error: { pointer: string; detail: string }) => `${error.pointer} ${error.detail}`.trim())
}

const withSource = (input: unknown): unknown => JSON.parse(JSON.stringify(input).replaceAll('{source}', sourceId))

const time = 'must be an RFC 3339 time such as 2026-01-05T09:30:00Z or 2026-01-05T10:30:00+01:00'
const [sources, logs, search] = ['/v1/data/sources', '/v1/audit/logs', 'POST /v1/data/search']
const [runs, webhooks] = ['POST /v1/solutions/workplace/forecast/runs', 'POST /v1/webhooks/webhooks']
const [keys, integrations] = ['POST /v1/auth/api-key', 'POST /v1/integrations/integrations']
const series = [{ points: [{ ts: '2026-01-05', value: 1 }] }]
const day = { frequency: 'day', timezone: 'UTC', horizon: 7 }
const ofSource = { data_source_id: '{source}', timestamp_field: 'day', value_field: 'people', ...day }
const webhook = { endpoint: 'https://receiver.example', events: ['*'] }

describe('the message of a wrong input', () => {
  it.each<[request: string, input: unknown, ...messages: string[]]>([
    // Bodies that are not JSON
    [
      `POST ${sources}`,
      '{"name": "a",}',
      'The body is not valid JSON: line 1, column 14: a name in double quotes is expected; the last element has no comma after it',
    ],
    [
      `POST ${sources}`,
      "{'name': 1}",
      'The body is not valid JSON: line 1, column 2: a name in double quotes or } is expected; strings have double quotes, not single ones',
    ],
    [
      `POST ${sources}`,
      '{name: 1}',
      'The body is not valid JSON: line 1, column 2: a name in double quotes or } is expected, not "name"',
    ],
    [
      `POST ${sources}`,
      '{"name": "b',
      'The body is not valid JSON: line 1, column 10: the string that begins here is not closed',
    ],
    [
      `POST ${sources}`,
      '{"embed": True}',
      'The body is not valid JSON: line 1, column 11: a value is expected, not "True"; JSON has true, false and null, in lower case',
    ],
    [
      `POST ${sources}`,
      '// a source',
      'The body is not valid JSON: line 1, column 1: a value is expected; JSON has no comments',
    ],
    [
      `POST ${sources}`,
      '{"a": 01}',
      'The body is not valid JSON: line 1, column 8: a comma or } is expected, not "1"; a number has no leading zero',
    ],
    [`POST ${sources}`, '', '/provider is required and must be one of upload, http, postgres, s3', '/name is required'],
    [`POST ${sources}`, [], 'must be an object'],
    [`POST ${sources}`, '"text"', 'must be an object'],
    [`POST ${sources}`, 'null', 'must be an object'],
    // Queries
    [`GET ${sources}?limit=0`, undefined, '?limit must be at least 1'],
    [`GET ${sources}?limit=101`, undefined, '?limit must be at most 100'],
    [`GET ${sources}?limit=ten`, undefined, '?limit must be a number'],
    [`GET ${sources}?limit=1.5`, undefined, '?limit must be a whole number'],
    [`GET ${sources}?limit=5&limit=6`, undefined, '?limit must occur once'],
    [`GET ${sources}?lmit=5`, undefined, '?lmit is not a known field; did you mean limit?'],
    [`GET ${sources}?status=actve`, undefined, '?status must be one of active, paused, error; did you mean active?'],
    [`GET ${sources}?metadata=north`, undefined, '?metadata must be pairs such as metadata[team]=north'],
    [
      `GET ${sources}?cursor=abc`,
      undefined,
      '?cursor is not a cursor of this list with these filters; omit it to begin again',
    ],
    [`GET ${logs}?since=2026-01-05`, undefined, `?since ${time}, not a date without a time`],
    [`GET ${logs}?since=2026-01-05T09:30:00`, undefined, `?since ${time}, with Z or an offset`],
    [`GET ${logs}?until=2026-01-05T09:30:00+01:00`, undefined, `?until ${time}; in a URL, write + as %2B`],
    [`GET ${logs}?since=2026-02-30T00:00:00Z`, undefined, '?since is a time that does not exist'],
    [
      `GET ${logs}?from=2026-01-05T09:30:00Z&since=2026-01-05T09:30:00Z`,
      undefined,
      '?from must not be given beside since, which replaces it',
    ],
    [
      `GET ${logs}?outcome=succes`,
      undefined,
      '?outcome must be one of success, denied, failure; did you mean success?',
    ],
    [`GET ${logs}?actor=`, undefined, '?actor must not be empty'],
    ['GET /v1/data/search', undefined, '?q is required'],
    ['GET /v1/data/search?q=a&min_score=', undefined, '?min_score must be a number in digits'],
    [
      'GET /v1/webhooks/deliveries?event=API_KEY_CREATE',
      undefined,
      '?event is not a known event kind; did you mean API_KEY_CREATED? GET /v1/webhooks/events lists them',
    ],
    // Data sources
    [`POST ${sources}`, {}, '/provider is required and must be one of upload, http, postgres, s3', '/name is required'],
    [`POST ${sources}`, { name: 'a', provider: 'ftp' }, '/provider must be one of upload, http, postgres, s3'],
    [
      `POST ${sources}`,
      { name: 'a', provider: 'uplaod' },
      '/provider must be one of upload, http, postgres, s3; did you mean upload?',
    ],
    [`POST ${sources}`, { name: '', provider: 'upload' }, '/name must not be empty'],
    [`POST ${sources}`, { name: 'x'.repeat(300), provider: 'upload' }, '/name must have at most 200 characters'],
    [
      `POST ${sources}`,
      { name: 'a', provider: 'upload', cofig: {} },
      '/cofig is not a known field; did you mean config?',
    ],
    [`POST ${sources}`, { name: 'a', provider: 'http', config: {} }, '/config/url is required'],
    [`POST ${sources}`, { name: 'a', provider: 'http', config: { url: 'here' } }, '/config/url the URL is not valid'],
    [
      `POST ${sources}`,
      { name: 'a', provider: 'http', config: { url: 'https://a.example', paging: { type: 'links' } } },
      '/config/paging/type must be one of link, cursor, page, offset; did you mean link?',
    ],
    [
      `POST ${sources}`,
      {
        name: 'a',
        provider: 'http',
        config: { url: 'https://a.example' },
        schedule: { type: 'interval', interval_seconds: 5 },
      },
      '/schedule/interval_seconds must be at least 60',
    ],
    [
      `POST ${sources}`,
      {
        name: 'a',
        provider: 'http',
        config: { url: 'https://a.example' },
        schedule: { type: 'cron', expression: 'daily', timezone: 'Europe/Berlin' },
      },
      '/schedule/expression must have five fields: minute, hour, day of the month, month, day of the week',
    ],
    [
      `POST ${sources}`,
      {
        name: 'a',
        provider: 'postgres',
        config: { query: 'SELECT 1', statement_timeout_seconds: 0 },
        integration_id: '7',
      },
      '/config/statement_timeout_seconds must be at least 1',
      '/integration_id must be the identifier of an integration (int_…)',
    ],
    [
      `POST ${sources}`,
      {
        name: 'a',
        provider: 'postgres',
        config: { query: 'SELECT 1' },
        integration_id: 'int_01h455vb4pex5vsknk084sn02q',
      },
      '/integration_id int_01h455vb4pex5vsknk084sn02q is not an integration of this workspace',
    ],
    [`POST ${sources}`, { name: 'a', provider: 'upload', metadata: { team: 1 } }, '/metadata/team must be a string'],
    [
      `POST ${sources}`,
      { name: 'a', provider: 'upload', metadata: { ['k'.repeat(41)]: 'v' } },
      '/metadata/kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk the name must have at most 40 characters',
    ],
    ['POST /v1/data/sources/{source}/records/delete', {}, 'must have either `keys` or `filter`'],
    [
      'POST /v1/data/sources/{source}/records/delete',
      { filter: {} },
      '/filter must have a condition; to delete all records, delete the data source',
    ],
    [
      'POST /v1/data/sources/{source}/records/delete',
      { filter: { biulding: 'north' } },
      '/filter/biulding is not a field of the data source (did you mean "building"?); its fields are id, day, building, people',
    ],
    // Search
    [search, {}, '/query is required without `filters`'],
    [search, { query: 5 }, '/query must be a string'],
    [search, { query: 'a', q: 'a' }, '/q must not be given beside `query`, which means the same'],
    [search, { query: 'a', limit: 500 }, '/limit must be at most 100'],
    [search, { query: 'a', mode: 'semantc' }, '/mode must be one of lexical, semantic, hybrid; did you mean semantic?'],
    [search, { query: 'a', sort: 'people' }, '/sort must be omitted with a `query`: its hits are ordered by score'],
    [
      search,
      { filters: { people: { gt: 'many' } } },
      '/filters/people/gt must be a number: the field has the type number',
    ],
    [search, { filters: { people: { gt: true } } }, '/filters/people/gt must be a string or a number'],
    [search, { filters: { people: { in: [] } } }, '/filters/people/in must not be empty'],
    [
      search,
      { filters: { people: { above: 5 } } },
      '/filters/people/above is not a known field',
      '/filters/people must have a bound: gt, gte, lt or lte',
    ],
    // Forecasts
    [
      runs,
      {},
      '/frequency is required and must be one of hour, day, week',
      '/timezone is required',
      '/horizon is required',
    ],
    [runs, day, '/data_source_id is required, or `series` or `workplace`'],
    [runs, { ...day, series: [] }, '/series must not be empty'],
    [
      runs,
      { ...ofSource, series },
      '/data_source_id must not be given beside `series`',
      '/timestamp_field is allowed with data_source_id only',
      '/value_field is allowed with data_source_id only',
    ],
    [
      runs,
      { ...day, series, frequency: 'minute', timezone: 'CET5', horizon: 0, levels: [0.7] },
      '/frequency must be one of hour, day, week',
      '/timezone must be an IANA time zone, for example Europe/Berlin',
      '/horizon must be at least 1',
      '/levels/0 must be one of 0.5, 0.8, 0.9, 0.95, 0.99',
    ],
    [
      runs,
      { ...day, series: [{ points: [{ ts: '2026-01-05', value: 'x' }] }] },
      '/series/0/points/0/value must be a number',
    ],
    [runs, { ...day, series }, '/series/0/points The series needs at least 28 days of history and has 1 day.'],
    [runs, { ...day, series, holidays: ['1.1.2026'] }, '/holidays/0 must be a date such as 2026-01-05'],
    [
      runs,
      { ...ofSource, timestampfield: 'day' },
      '/timestampfield is not a known field; did you mean timestamp_field?',
    ],
    [
      runs,
      { ...ofSource, value_field: 'poeple' },
      '/value_field "poeple" is not a column of the data source; did you mean "people"? Its columns are "id", "day", "building", "people"',
    ],
    [
      runs,
      { ...ofSource, group_by: ['floor'] },
      '/group_by/0 "floor" is not a column of the data source. Its columns are "id", "day", "building", "people"',
    ],
    [runs, { ...ofSource, capacity: { north: 100 } }, '/capacity must be a number without group_by'],
    [runs, { ...ofSource, data_source_id: 'src_1' }, '/data_source_id must be the identifier of a data source (src_…)'],
    [
      runs,
      { ...ofSource, data_source_id: 'src_01h455vb4pex5vsknk084sn02q' },
      '/data_source_id is not a data source of this workspace',
    ],
    [
      runs,
      { ...ofSource, timestamp_format: 'dd/mm/yyyy' },
      '/timestamp_format has no token "d"; did you mean DD? Write text in brackets: [d]',
    ],
    // Webhooks
    [webhooks, {}, '/events is required', '/endpoint is required'],
    [webhooks, { ...webhook, endpoint: 5 }, '/endpoint must be a string'],
    [webhooks, { ...webhook, endpoint: 'http://receiver.example' }, '/endpoint the URL must begin with https://'],
    [
      webhooks,
      { ...webhook, endpoint: 'https://10.0.0.1/' },
      '/endpoint 10.0.0.1 is not allowed (private use, RFC 1918)',
    ],
    [webhooks, { ...webhook, events: [] }, '/events must not be empty'],
    [
      webhooks,
      { ...webhook, events: ['FORECAST_FINISHED'] },
      '/events/0 "FORECAST_FINISHED" is not a known event kind; did you mean FORECASTING_FINISHED? GET /v1/webhooks/events lists them',
    ],
    [webhooks, { ...webhook, events: 'WEBHOOK_TEST' }, '/events must be an array'],
    [
      webhooks,
      { endpoint: webhook.endpoint, event: ['*'] },
      '/events is required',
      '/event is not a known field; did you mean events?',
    ],
    [webhooks, { ...webhook, ordering: 'fifo' }, '/ordering must be one of best_effort, strict'],
    [
      webhooks,
      { ...webhook, secret: 'x', generate_secret: true },
      '/generate_secret cannot be combined with `secret`; send one of them',
    ],
    // Auth, integrations and workspaces
    ['POST /v1/auth/login', { email: 'kim' }, '/email must be a mail address'],
    [
      'POST /v1/auth/login',
      { email: 'kim@example.com', code_challenge: 'short', redirect_uri: 'https://a.example' },
      '/code_challenge must be the base64url SHA-256 of the verifier: 43 characters',
    ],
    ['POST /v1/auth/verify', { login_id: 'login_1' }, '/token is required, or `code`'],
    ['POST /v1/auth/verify', { login_code: 'a' }, '/code_verifier is required beside login_code'],
    [
      keys,
      { scopes: ['data:reed'] },
      '/scopes/0 must be one of workspace:read, workspace:write, data:read, data:write, integrations:read, integrations:write, agents:read, agents:write, agents:run, agents:gate, ai:chat, webhooks:read, webhooks:write, audit:read, audit:export, notifications:read, notifications:write, billing:read, billing:write, solutions:read, solutions:write, solutions:run, mcp:use, auth:keys, auth:provision, auth:read, auth:admin; did you mean data:read?',
    ],
    [keys, { scopes: [] }, '/scopes must not be empty'],
    [keys, { expires_at: 'tomorrow' }, `/expires_at ${time}`],
    [
      integrations,
      { provider: 'openai', name: 'Models' },
      '/provider must be one of http, postgres, s3, smtp, slack, openai_compatible, mcp_server, google, github',
    ],
    [
      integrations,
      { provider: 'postgres', name: 'a', config: { host: 'db.example', port: 70_000, database: 'd', user: 'u' } },
      '/config/port must be at most 65535',
    ],
    [
      'POST /v1/system/workspace/variables',
      { name: 'my-var', value: 'x' },
      '/name must have 1 to 64 characters of A-Z, 0-9 and _, and begin with a letter',
    ],
  ])('is that of the table: %s %j', async (request, input, ...messages) => {
    expect(await messagesOf(request, input)).toEqual(messages)
  })
})
