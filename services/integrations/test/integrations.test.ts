import { afterAll, describe, expect, it } from '@jest/globals'
import { integrationProviders } from '@wp/contracts'
import { setTestQuota } from '@wp/testkit'
import { problemResponse } from '@wp/testkit/problem-response'
import { inNewWorkspace, kindsOf, path, startHarness } from './fixture/harness.ts'

const world = await startHarness()
afterAll(() => world.stop())

const http = (more: Record<string, unknown> = {}) => ({
  provider: 'http',
  name: 'Doors',
  config: { base_url: 'http://127.0.0.1:9009/' },
  secrets: { token: 'top-secret-1' },
  ...more,
})

describe('the catalogue', () => {
  it('describes the configuration and secrets of every provider as JSON Schema', async () => {
    const { body } = await world.request('GET', '/v1/integrations/providers')
    expect(body.data.map(({ provider }: { provider: string }) => provider)).toEqual(integrationProviders)
    for (const entry of body.data)
      for (const schema of [entry.config_schema, entry.secrets_schema])
        expect(schema).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' })
    const postgres = body.data.find(({ provider }: { provider: string }) => provider === 'postgres')
    expect(postgres.config_schema).toMatchObject({
      required: ['host', 'database', 'user'],
      additionalProperties: false,
      properties: { port: { type: 'integer', default: 5432 }, ssl: { enum: ['verify', 'disable'] } },
    })
    expect(Object.keys(postgres.secrets_schema.properties)).toEqual(['password', 'ca'])
  })

  it('is paged', async () => {
    const first = await world.request('GET', '/v1/integrations/providers?limit=5')
    const cursor = first.body.pagination.next_cursor
    const second = await world.request('GET', `/v1/integrations/providers?limit=5&cursor=${cursor}`)
    const names = [...first.body.data, ...second.body.data].map(({ provider }: { provider: string }) => provider)
    expect(names).toEqual(integrationProviders)
    expect(second.body.pagination).toEqual({ next_cursor: null, has_more: false })
  })
})

describe('an integration', () => {
  it('is created, read and listed without its secrets', async () => {
    const answer = await world.post(http({ metadata: { team: 'north' }, external_id: 'e-1' }))
    expect(answer).toMatchObject({
      status: 201,
      body: {
        data: {
          provider: 'http',
          name: 'Doors',
          config: { base_url: 'http://127.0.0.1:9009/', headers: {} },
          secret_names: ['token'],
          status: 'pending',
          last_error: null,
          last_checked_at: null,
          metadata: { team: 'north' },
          external_id: 'e-1',
        },
      },
    })
    const id = answer.body.data.integration_id
    expect(answer.headers.get('location')).toBe(`http://localhost:4000${path}/${id}`)
    const read = await world.get(id)
    expect(read.body.data).toEqual(answer.body.data)
    const listed = await world.list('external_id=e-1')
    expect(listed.body.data).toEqual([answer.body.data])
    expect(JSON.stringify([answer.body, read.body, listed.body])).not.toContain('top-secret')
  })

  it('is stored with sealed secrets, and no event contains one', async () => {
    const id = await world.made(http())
    await world.patch(id, { secrets: { token: 'top-secret-2' } })
    const { rows } = await world.database.worker.query(
      `SELECT i::text AS row FROM integrations i WHERE integration_id = $1
       UNION ALL SELECT o::text FROM platform.outbox o UNION ALL SELECT k::text FROM platform.idempotency k`,
      [id],
    )
    expect(JSON.stringify(rows)).not.toContain('top-secret')
    expect(rows.length).toBeGreaterThan(2)
    expect(kindsOf(await world.told(id))).toEqual(['integration.created', 'integration.updated'])
  })

  it('is filtered by provider, status and metadata', async () => {
    const mine = inNewWorkspace()
    const id = await world.made(http({ metadata: { team: 'a', floor: '2' } }), mine)
    const other = await world.made({ provider: 'github', name: 'Code', secrets: { token: 'x' } }, mine)
    const found = async (query: string) =>
      (await world.list(query, mine)).body.data.map((one: { integration_id: string }) => one.integration_id)
    expect(await found('')).toEqual([other, id])
    expect(await found('provider=github')).toEqual([other])
    expect(await found('status=pending&metadata[team]=a&metadata[floor]=2')).toEqual([id])
    expect(await found('metadata[team]=b')).toEqual([])
    expect(await found('status=error')).toEqual([])
  })

  it('is not visible to another workspace', async () => {
    const id = await world.made(http())
    const stranger = inNewWorkspace()
    expect(await world.get(id, stranger)).toMatchObject(problemResponse(404, 'not_found'))
    expect(await world.patch(id, { name: 'x' }, stranger)).toMatchObject(problemResponse(404, 'not_found'))
    expect(await world.patch(id, { secrets: { token: 'x' } }, stranger)).toMatchObject(
      problemResponse(404, 'not_found'),
    )
    expect(await world.test(id, stranger)).toMatchObject(problemResponse(404, 'not_found'))
    expect(await world.remove(id, '?force=true', stranger)).toMatchObject(problemResponse(404, 'not_found'))
    expect(await world.inside('GET', `${id}/secrets`, undefined, stranger)).toMatchObject(
      problemResponse(404, 'not_found'),
    )
    expect((await world.list('', stranger)).body.data).toEqual([])
  })

  it('is deleted', async () => {
    const id = await world.made(http())
    expect(await world.remove(id)).toMatchObject({ status: 200, body: { data: { integration_id: id, deleted: true } } })
    expect(await world.get(id)).toMatchObject(problemResponse(404, 'not_found'))
  })

  it('is refused above the quota, also when many are created concurrently', async () => {
    const mine = inNewWorkspace()
    await setTestQuota(world.env.DATABASE_WORKER_URL, mine.workspaceId, 'integrations', 5)
    for (let n = 0; n < 4; n++) await world.made(http(), mine)
    const answers = await Promise.all(Array.from({ length: 50 }, () => world.post(http(), mine)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    const refusal = { code: 'quota_exceeded', quota: 'integrations', limit: 5, current: 5 }
    expect(answers.find(({ status }) => status !== 201)).toMatchObject({ status: 403, body: refusal })
    expect((await world.list('limit=100', mine)).body.data).toHaveLength(5)
  })
})

describe('invalid input is reported with pointers', () => {
  it.each<[string, Record<string, unknown>, string[]]>([
    ['an unknown provider', http({ provider: 'ftp' }), ['/provider']],
    ['a missing field', http({ config: {} }), ['/config/base_url']],
    ['an unknown field', http({ config: { base_url: 'http://127.0.0.1/', x: 1 } }), ['/config/x']],
    ['an unknown secret', http({ secrets: { nonsense: 'x' } }), ['/secrets/nonsense']],
    ['both ways to log in', http({ secrets: { token: 'x', username: 'u' } }), ['/secrets/token']],
    ['a password without a user', http({ secrets: { password: 'x' } }), ['/secrets/username']],
    ['a header that ends early', http({ secrets: { token: 'x\r\ny: z' } }), ['/secrets/token']],
    [
      'a password in an address',
      http({ config: { base_url: 'http://u:p@127.0.0.1/' }, secrets: {} }),
      ['/config/base_url'],
    ],
    [
      'too many tools without approval',
      {
        provider: 'mcp_server',
        name: 'x',
        config: { url: 'http://127.0.0.1:9009/', tools_without_approval: Array.from({ length: 101 }, String) },
      },
      ['/config/tools_without_approval'],
    ],
    [
      'a tool without a name',
      { provider: 'mcp_server', name: 'x', config: { url: 'http://127.0.0.1:9009/', tools_without_approval: [''] } },
      ['/config/tools_without_approval/0'],
    ],
    ['another scheme', http({ config: { base_url: 'ftp://127.0.0.1/' } }), ['/config/base_url']],
    [
      'a readable header that should be secret',
      http({ config: { base_url: 'http://127.0.0.1:9009/', headers: { Authorization: 'x' } } }),
      ['/config/headers/Authorization'],
    ],
    ['a secret header of the connection', http({ secrets: { 'headers.Host': 'x' } }), ['/secrets/headers.Host']],
    [
      'two things at once',
      { provider: 'postgres', name: 'x', config: { host: '127.0.0.1', user: 'u', port: 0 }, secrets: { ca: 'x' } },
      ['/config/port', '/config/database', '/secrets/ca'],
    ],
    [
      'a low port',
      { provider: 'postgres', name: 'x', config: { host: '127.0.0.1', port: 22, user: 'u', database: 'd' } },
      ['/config/host'],
    ],
    [
      'a host that is more than one',
      { provider: 'smtp', name: 'x', config: { host: 'mail.test/x' } },
      ['/config/host'],
    ],
    [
      'a user without a password',
      { provider: 'smtp', name: 'x', config: { host: '127.0.0.1', user: 'u' } },
      ['/secrets/password'],
    ],
    ['neither of two', { provider: 'slack', name: 'x' }, ['/secrets']],
    [
      'a webhook of another place',
      { provider: 'slack', name: 'x', secrets: { webhook_url: 'https://hooks.slack.com.evil.test/x' } },
      ['/secrets/webhook_url'],
    ],
    [
      'a client without its name',
      { provider: 'google', name: 'x', secrets: { client_secret: 'x' } },
      ['/config/client_id'],
    ],
    ['nothing to log in with', { provider: 'github', name: 'x' }, ['/secrets/token']],
  ])('%s', async (_, body, pointers) => {
    expect(await world.post(body)).toMatchObject(problemResponse(400, 'validation_failed', ...pointers))
  })
})

describe('a change', () => {
  const postgres = {
    provider: 'postgres',
    name: 'Warehouse',
    config: { host: '127.0.0.1', port: 5432, database: 'd', user: 'u', ssl: 'disable' },
    secrets: { password: 'one', ca: '-----BEGIN CERTIFICATE-----' },
  }
  const secretsOf = async (id: string) => (await world.inside('GET', `${id}/secrets`)).body.data.secrets

  it('merges the configuration and validates the result', async () => {
    const id = await world.made(postgres)
    expect((await world.patch(id, { config: { database: 'e', port: null } })).body.data.config).toEqual({
      ...postgres.config,
      database: 'e',
    })
    expect(await world.patch(id, { config: { user: null } })).toMatchObject(
      problemResponse(400, 'validation_failed', '/config/user'),
    )
    expect((await world.get(id)).body.data.config).toMatchObject({ user: 'u', database: 'e' })
  })

  it('replaces single secrets; null removes one that is optional', async () => {
    const id = await world.made(postgres)
    expect((await world.patch(id, { secrets: { password: 'two' } })).body.data.secret_names).toEqual(['ca', 'password'])
    expect(await secretsOf(id)).toEqual({ ...postgres.secrets, password: 'two' })
    expect((await world.patch(id, { secrets: { ca: null } })).body.data.secret_names).toEqual(['password'])
    expect(await secretsOf(id)).toEqual({ password: 'two' })
    const github = await world.made({ provider: 'github', name: 'Code', secrets: { token: 'x' } })
    expect(await world.patch(github, { secrets: { token: null } })).toMatchObject(
      problemResponse(400, 'validation_failed', '/secrets/token'),
    )
    expect(await secretsOf(github)).toEqual({ token: 'x' })
  })

  it('of the address requires every secret again, so that no stored secret is sent to a new address', async () => {
    const elsewhere: [Record<string, unknown>, Record<string, unknown>[]][] = [
      [postgres, [{ host: 'localhost' }, { port: 5433 }, { ssl: 'verify' }]],
      [http(), [{ base_url: 'http://127.0.0.1:9010/' }, { base_url: 'http://127.0.0.1:9009/evil' }]],
      [
        { provider: 'smtp', name: 'm', config: { host: '127.0.0.1', user: 'u' }, secrets: { password: 'x' } },
        [{ host: 'localhost' }, { port: 2525 }, { security: 'none' }],
      ],
      [
        {
          provider: 's3',
          name: 's',
          config: { endpoint: 'http://127.0.0.1:9000', bucket: 'one', access_key_id: 'k' },
          secrets: { secret_access_key: 'x' },
        },
        [{ endpoint: 'http://127.0.0.1:9001' }],
      ],
      [
        {
          provider: 'openai_compatible',
          name: 'o',
          config: { base_url: 'http://127.0.0.1:9009/v1' },
          secrets: { api_key: 'x' },
        },
        [{ base_url: 'http://127.0.0.1:9010/v1' }],
      ],
      [
        { provider: 'mcp_server', name: 'm', config: { url: 'http://127.0.0.1:9009/mcp' }, secrets: { token: 'x' } },
        [{ url: 'http://127.0.0.1:9010/mcp' }],
      ],
    ]
    for (const [made, changes] of elsewhere) {
      const id = await world.made(made)
      const before = (await world.get(id)).body.data
      for (const config of changes) {
        const answer = await world.patch(id, { config })
        expect([config, answer.status]).toEqual([config, 400])
        expect(answer).toMatchObject(problemResponse(400, 'validation_failed', '/secrets'))
        expect(answer.body.detail).toMatch(/must be set again/)
      }
      expect((await world.get(id)).body.data).toEqual(before)
      const secrets = made.secrets as Record<string, string> // as they are written above
      const [config = {}] = changes
      expect((await world.patch(id, { config, secrets })).status).toBe(200)
    }
  })

  it('of the address is refused with some of the secrets and accepted when the others are removed', async () => {
    const id = await world.made(postgres)
    expect(await world.patch(id, { config: { host: 'localhost' }, secrets: { ca: null } })).toMatchObject(
      problemResponse(400, 'validation_failed', '/secrets'),
    )
    const moved = await world.patch(id, { config: { host: 'localhost' }, secrets: { ca: null, password: 'two' } })
    expect(moved.body.data).toMatchObject({ config: { host: 'localhost' }, secret_names: ['password'] })
  })

  it('of name and metadata keeps everything else', async () => {
    const id = await world.made(http({ metadata: { a: '1', b: '2' } }))
    const changed = await world.patch(id, { name: 'Other', metadata: { a: null, c: '3' }, external_id: 'e' })
    expect(changed.body.data).toMatchObject({
      name: 'Other',
      metadata: { b: '2', c: '3' },
      external_id: 'e',
      status: 'pending',
    })
    expect(await secretsOf(id)).toEqual({ token: 'top-secret-1' })
    const [, audited] = await world.told(id)
    expect(audited?.data.changes).toEqual({ fields: ['name', 'metadata', 'external_id'] })
  })
})
