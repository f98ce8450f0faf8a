import { afterAll, describe, expect, it } from '@jest/globals'
import { startHarness } from '../fixture/harness.ts'

const stranger = { workspaceId: 'ws_01h455vb4pex5vsknk084sn0zz' }
const unknown = 'wh_01h455vb4pex5vsknk084sn02q'

const harness = await startHarness()

afterAll(() => harness.stop())

const endpoint = 'https://127.0.0.1:8443/hook'
const invalid = (code: string, pointer: string, detail: unknown = expect.any(String)) => ({
  status: 400,
  body: { code, errors: [{ pointer, detail }] },
})

describe('creating a subscription', () => {
  it('returns the subscription without its secret and header values', async () => {
    const response = await harness.call('POST', '/webhooks', {
      endpoint,
      secret: 'a secret',
      events: ['FORECASTING_FINISHED', '*', 'FORECASTING_FINISHED'],
      description: 'reporting',
      headers: { Authorization: 'Bearer hidden' },
      metadata: { team: 'blue' },
      external_id: 'ext-1',
    })
    expect(response.status).toBe(201)
    expect(response.body.data).toEqual({
      webhook_id: expect.stringMatching(/^wh_/),
      delivery: 'push',
      customer_id: null,
      customer_filter: null,
      endpoint,
      events: ['FORECASTING_FINISHED', '*'],
      filter: null,
      has_secret: true,
      status: 'active',
      disabled_reason: null,
      disabled_at: null,
      description: 'reporting',
      headers: { Authorization: '********' },
      authentication: null,
      rate_limit: null,
      ordering: 'best_effort',
      stats: {
        pending: 0,
        delivered: 0,
        failed: 0,
        filtered: 0,
        last_success_at: null,
        last_failure_at: null,
        next_attempt_at: null,
        window_hours: 24,
        success_rate: null,
        latency_p50_ms: null,
        latency_p95_ms: null,
      },
      metadata: { team: 'blue' },
      external_id: 'ext-1',
      created_by: expect.stringMatching(/^sp_/),
      created_by_client: null,
      depends_on_session: null,
      warnings: [expect.stringContaining('fewer than 16 characters')],
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
  })

  it.each([
    ['http://example.com/', 'the URL must begin with https://'],
    ['https://user:secret@example.com/', 'the URL must not contain a user name or password'],
    ['https://example.com:25/', expect.stringContaining('port 25 is not allowed')],
    ['https://169.254.169.254/latest/', expect.stringContaining('169.254.169.254 is not allowed')],
    ['https://0xa9.254.43518/', expect.stringContaining('is not allowed')],
    ['https://[::ffff:10.0.0.1]/', expect.stringContaining('is not allowed')],
    ['not a url', 'the URL is not valid'],
    ['https:///host', 'the URL must begin with https:// and a host name'],
    ['https:host', 'the URL must begin with https:// and a host name'],
    ['https://ho\tst/', 'the URL must not contain spaces, control or invisible characters'],
    ['https://a\\@b', 'the URL must not contain a backslash'],
  ])('rejects the endpoint %s with the reason', async (invalidEndpoint, reason) => {
    const response = await harness.call('POST', '/webhooks', { endpoint: invalidEndpoint, events: ['*'] })
    expect(response).toMatchObject(invalid('invalid_endpoint', '/endpoint', reason))
  })

  it('stores an endpoint in canonical form when it has spaces around it or upper case', async () => {
    const body = { endpoint: ' HTTPS://Later.Invalid:443/a/../hook\n', events: ['*'] }
    const created = await harness.call('POST', '/webhooks', body)
    expect(created).toMatchObject({ status: 201, body: { data: { endpoint: 'https://later.invalid/hook' } } })
  })

  it.each(['metadata', 'headers'])('rejects a member of %s named __proto__ with a pointer', async (field) => {
    const rawBody = `{"endpoint":"https://later.invalid/","events":["*"],"${field}":{"__proto__":"x"}}`
    const response = await harness.call('POST', '/webhooks', JSON.parse(rawBody))
    expect(response).toMatchObject(invalid('validation_failed', `/${field}/__proto__`, 'must not be named __proto__'))
  })

  it('rejects the mask of a header when a client sends back what it has read', async () => {
    const body = { endpoint: 'https://later.invalid/', events: ['*'], headers: { 'x-key': 'a key' } }
    const { headers, webhook_id: id } = (await harness.call('POST', '/webhooks', body)).body.data
    const reason = 'is the mask of a stored value; leave it out to keep that value'
    expect(await harness.call('PATCH', `/webhooks/${id}`, { headers })).toMatchObject(
      invalid('validation_failed', '/headers/x-key', reason),
    )
  })

  it('accepts an endpoint whose name does not resolve yet', async () => {
    expect(
      (await harness.call('POST', '/webhooks', { endpoint: 'https://later.invalid/', events: ['*'] })).status,
    ).toBe(201)
  })

  it('rejects unknown event kinds with a pointer to each', async () => {
    const response = await harness.call('POST', '/webhooks', {
      endpoint,
      events: ['RECOMMENDATION_CREATED', 'NO_SUCH', 'recommendation_created'],
    })
    expect(response.body.code).toBe('unknown_event_kind')
    expect(response.body.errors.map((error: { pointer: string }) => error.pointer)).toEqual(['/events/1', '/events/2'])
  })

  it.each([
    ['X-Webhook-Signature', '/headers/X-Webhook-Signature'],
    ['webhook-id', '/headers/webhook-id'],
    ['Content-Type', '/headers/Content-Type'],
    ['Connection', '/headers/Connection'],
    ['Transfer-Encoding', '/headers/Transfer-Encoding'],
    ['Host', '/headers/Host'],
  ])('rejects the header %s', async (name, pointer) => {
    const response = await harness.call('POST', '/webhooks', { endpoint, events: ['*'], headers: { [name]: 'x' } })
    expect(response).toMatchObject(invalid('validation_failed', pointer, 'cannot be overridden'))
  })

  it('rejects a header that is given twice in different case', async () => {
    const response = await harness.call('POST', '/webhooks', {
      endpoint,
      events: ['*'],
      headers: { 'x-a': '1', 'X-A': '2' },
    })
    expect(response).toMatchObject(invalid('validation_failed', '/headers/X-A', 'is given twice'))
  })

  it.each(['', 'ü', 'x'.repeat(257), 'whsec_', `whsec_${Buffer.alloc(23).toString('base64')}`, 'whsec_not base64'])(
    'rejects the secret %j',
    async (secret) => {
      expect(await harness.call('POST', '/webhooks', { endpoint, events: ['*'], secret })).toMatchObject({
        status: 400,
        body: { code: 'validation_failed', errors: [{ pointer: '/secret' }] },
      })
    },
  )
})

describe('updating a subscription', () => {
  it('merges the patch: null removes a value, an absent field is unchanged', async () => {
    const id = await harness.subscribe({
      endpoint,
      secret: 'a secret',
      description: 'first',
      headers: { 'x-keep': '1', 'x-change': '2', 'x-drop': '3' },
    })
    const response = await harness.call('PATCH', `/webhooks/${id}`, {
      events: ['RECOMMENDATION_CREATED'],
      description: null,
      headers: { 'X-Change': 'new', 'x-drop': null },
    })
    expect(response).toMatchObject({
      status: 200,
      body: { data: { endpoint, events: ['RECOMMENDATION_CREATED'], description: null, has_secret: true } },
    })
    expect(response.body.data.headers).toEqual({ 'x-keep': '********', 'X-Change': '********' })
    const cleared = await harness.call('PATCH', `/webhooks/${id}`, { headers: null, secret: null })
    expect(cleared.body.data).toMatchObject({ headers: {}, has_secret: false })
  })

  it('validates new values as creation does', async () => {
    const id = await harness.subscribe({ endpoint })
    const patch = (body: unknown) => harness.call('PATCH', `/webhooks/${id}`, body)
    expect(await patch({ endpoint: 'https://10.0.0.1/' })).toMatchObject(invalid('invalid_endpoint', '/endpoint'))
    expect(await patch({ events: ['NO_SUCH'] })).toMatchObject(invalid('unknown_event_kind', '/events/0'))
    expect(await patch({ headers: { te: 'x' } })).toMatchObject(invalid('validation_failed', '/headers/te'))
    expect((await patch({ webhook_id: id })).status).toBe(400)
  })

  it('disables and enables it, and shows when and why it was disabled', async () => {
    const id = await harness.subscribe({ endpoint })
    const disabled = await harness.call('PATCH', `/webhooks/${id}`, { status: 'disabled' })
    expect(disabled.body.data).toMatchObject({ status: 'disabled', disabled_reason: 'requested' })
    expect(disabled.body.data.disabled_at).not.toBeNull()
    const enabled = await harness.call('PATCH', `/webhooks/${id}`, { status: 'active' })
    expect(enabled.body.data).toMatchObject({ status: 'active', disabled_reason: null, disabled_at: null })
  })

  it('is refused when the subscription has changed since it was read', async () => {
    const id = await harness.subscribe({ endpoint })
    const { headers } = await harness.call('GET', `/webhooks/${id}`)
    const match = { headers: { 'if-match': headers.get('etag') ?? '' } }
    expect((await harness.call('PATCH', `/webhooks/${id}`, { description: 'a' }, match)).status).toBe(200)
    expect((await harness.call('PATCH', `/webhooks/${id}`, { description: 'b' }, match)).status).toBe(412)
  })
})

describe('listing', () => {
  it('returns subscriptions from the newest, filtered by status, event and external id', async () => {
    const own = { workspaceId: 'ws_01h455vb4pex5vsknk084sn0yy' }
    const ids: string[] = []
    for (const events of [['RECOMMENDATION_CREATED'], ['FORECASTING_FAILED'], ['*']])
      ids.unshift(await harness.subscribe({ endpoint, events, external_id: events[0] }, own))
    const list = async (query: string) => {
      const { body } = await harness.call('GET', `/webhooks${query}`, undefined, own)
      return { ids: body.data.map((row: { webhook_id: string }) => row.webhook_id), ...body.pagination }
    }
    const first = await list('?limit=2')
    expect(first).toMatchObject({ ids: ids.slice(0, 2), has_more: true })
    expect(await list(`?limit=2&cursor=${first.next_cursor}`)).toEqual({
      ids: [ids[2]],
      has_more: false,
      next_cursor: null,
    })
    expect((await list('?event=FORECASTING_FAILED')).ids).toEqual([ids[0], ids[1]])
    expect((await list('?external_id=RECOMMENDATION_CREATED')).ids).toEqual([ids[2]])
    await harness.call('PATCH', `/webhooks/${ids[1]}`, { status: 'disabled' }, own)
    expect((await list('?status=disabled')).ids).toEqual([ids[1]])
  })

  it('returns deliveries from the newest, filtered by status, event and time', async () => {
    const id = await harness.subscribe({ endpoint })
    await harness.call('PATCH', `/webhooks/${id}`, { status: 'disabled' })
    const events = [await harness.publish('RECOMMENDATION_CREATED'), await harness.publish('FORECASTING_FAILED')]
    await harness.delivery(id, ({ event_id }) => event_id === events[1]?.id)
    await harness.delivery(id, ({ event_id }) => event_id === events[0]?.id)
    const [newest, oldest] = await harness.deliveries(id)
    const { body } = await harness.call('GET', `/webhooks/${id}/deliveries?limit=1`)
    expect(body.data).toEqual([newest])
    expect(await harness.deliveries(id, `?limit=1&cursor=${body.pagination.next_cursor}`)).toEqual([oldest])
    expect((await harness.deliveries(id, '?event=RECOMMENDATION_CREATED')).map(({ event_id }) => event_id)).toEqual([
      events[0]?.id,
    ])
    expect(await harness.deliveries(id, '?status=skipped')).toHaveLength(2)
    expect(await harness.deliveries(id, '?status=failed')).toEqual([])
    expect(await harness.deliveries(id, '?since=2020-01-01T00:00:00.000Z')).toHaveLength(2)
    expect(await harness.deliveries(id, '?until=2020-01-01T00:00:00.000Z')).toEqual([])
    expect((await harness.call('GET', `/webhooks/${id}/deliveries?status=nonsense`)).status).toBe(400)
  })
})

describe('a secret', () => {
  it('can be read and rotated; both are audited', async () => {
    const id = await harness.subscribe({ endpoint, secret: 'first' })
    const read = await harness.call('GET', `/webhooks/${id}/secret`)
    expect(read.body.data).toEqual({ webhook_id: id, secret: 'first' })
    expect(read.headers.get('cache-control')).toBe('no-store')
    const rotated = await harness.call('POST', `/webhooks/${id}/rotate-secret`, {})
    expect(Date.parse(rotated.body.data.previous_expires_at) - Date.now()).toBeGreaterThan(86_000_000)
    const again = await harness.call('GET', `/webhooks/${id}/secret`)
    expect(again.body.data.secret).toBe(rotated.body.data.secret)
    const { rows } = await harness.sql.query(
      `SELECT data->>'action' AS action FROM platform.outbox
       WHERE kind = 'AUDIT_RECORDED' AND data->'targets'->0->>'id' = $1 ORDER BY position`,
      [id],
    )
    expect(rows.map(({ action }) => action)).toEqual([
      'webhook.created',
      'webhook.secret_read',
      'webhook.secret_rotated',
      'webhook.secret_read',
    ])
  })

  it('is null when it was never set, and its first rotation has no overlap', async () => {
    const id = await harness.subscribe({ endpoint })
    expect((await harness.call('GET', `/webhooks/${id}/secret`)).body.data.secret).toBeNull()
    const rotated = await harness.call('POST', `/webhooks/${id}/rotate-secret`, {})
    expect(rotated.body.data.previous_expires_at).toBeNull()
  })

  it('is sealed in every table, like header values', async () => {
    const id = await harness.subscribe({ endpoint, secret: 'old-hush', headers: { 'x-key': 'header-hush' } })
    await harness.call('PATCH', `/webhooks/${id}`, { secret: 'new-hush' })
    await harness.call('POST', `/webhooks/${id}/rotate-secret`, {})
    const { rows: tables } = await harness.sql.query(
      `SELECT schemaname || '.' || tablename AS name FROM pg_tables WHERE schemaname IN ('public', 'platform')`,
    )
    for (const { name } of tables) {
      const { rows } = await harness.sql
        .query(`SELECT row_to_json(t)::text AS text FROM ${name} t WHERE row_to_json(t)::text LIKE '%hush%'`)
        .catch((error: { code?: string }) => {
          // The worker role may not read the table of migrations, which holds no secrets.
          if (error.code === '42501') return { rows: [] }
          throw error
        })
      expect(rows).toEqual([])
    }
    const { rows } = await harness.sql.query('SELECT * FROM subscriptions WHERE webhook_id = $1', [id])
    expect(rows[0]).toMatchObject({
      secret_sealed: expect.stringMatching(/^v1\./),
      previous_secret_sealed: expect.stringMatching(/^v1\./),
      headers: { 'x-key': expect.stringMatching(/^v1\./) },
    })
  })
})

describe('another workspace', () => {
  it('gets 404 for every operation, as for an unknown id', async () => {
    const id = await harness.subscribe({ endpoint, secret: 'mine' })
    await harness.call('PATCH', `/webhooks/${id}`, { status: 'disabled' })
    await harness.publish()
    const { request_id: requestId } = await harness.delivery(id, () => true)
    const paths = (webhook: string, delivery: string): [string, string, unknown?][] => [
      ['GET', `/webhooks/${webhook}`],
      ['PATCH', `/webhooks/${webhook}`, { status: 'active' }],
      ['GET', `/webhooks/${webhook}/secret`],
      ['POST', `/webhooks/${webhook}/rotate-secret`, {}],
      ['POST', `/webhooks/${webhook}/test`],
      ['GET', `/webhooks/${webhook}/deliveries`],
      ['GET', `/deliveries/${delivery}`],
      ['POST', `/deliveries/${delivery}/resend`],
      ['DELETE', `/webhooks/${webhook}`],
    ]
    for (const [method, path, body] of paths(id, requestId))
      expect([method, path, (await harness.call(method, path, body, stranger)).status]).toEqual([method, path, 404])
    for (const [method, path, body] of paths(unknown, 'dlv_01h455vb4pex5vsknk084sn02q'))
      expect([method, path, (await harness.call(method, path, body)).status]).toEqual([method, path, 404])
    expect((await harness.call('GET', '/webhooks', undefined, stranger)).body.data).toEqual([])
    expect((await harness.call('GET', `/webhooks/${id}/secret`)).body.data.secret).toBe('mine')
  })

  it('is isolated by row-level security', async () => {
    await harness.subscribe({ endpoint })
    const { Client } = await import('pg')
    const app = new Client({ connectionString: harness.service.env.DATABASE_URL })
    await app.connect()
    for (const table of ['subscriptions', 'endpoints', 'deliveries', 'attempts', 'attempt_hours', 'filtered_counts']) {
      const forced = `SELECT relforcerowsecurity AS forced FROM pg_class WHERE oid = 'public.${table}'::regclass`
      expect((await app.query(forced)).rows).toEqual([{ forced: true }])
      expect((await app.query(`SELECT 1 FROM ${table}`)).rows).toEqual([])
    }
    await app.end()
  })
})

describe('access', () => {
  it('is refused for requests signed by any other service', async () => {
    for (const signer of ['solutions', 'system'] as const)
      expect((await harness.service.request('GET', '/v1/webhooks/webhooks', { signer })).status).toBe(403)
  })

  it('requires the declared scope', async () => {
    const response = await harness.service.request('GET', '/v1/webhooks/webhooks', {
      signer: 'gateway',
      caller: { scopes: ['webhooks:write'] },
    })
    expect(response).toMatchObject({ status: 403, body: { code: 'missing_scope', required_scope: 'webhooks:read' } })
  })
})
