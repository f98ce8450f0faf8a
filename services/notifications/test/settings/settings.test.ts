import { afterAll, describe, expect, it } from '@jest/globals'
import { settings, startHarness } from '../fixture/harness.ts'

const harness = await startHarness({ services: ['auth', 'notifications', 'integrations'] })
afterAll(() => harness.stop())

const read = async (query = '', as?: string) =>
  (await harness.call('GET', `${settings}${query}`, as === undefined ? {} : { as })).body.data
const change = (body: unknown, query = '', as?: string) =>
  harness.call('PATCH', `${settings}${query}`, { body, ...(as === undefined ? {} : { as }) })
const pointersOf = (body: { errors: { pointer: string }[] }) => body.errors.map(({ pointer }) => pointer)

describe('the settings of notifications', () => {
  it('follow the defaults of the workspace, which other principals read and change', async () => {
    expect(await read()).toMatchObject({
      level: 'user',
      categories: { data: { in_app: true, email: false, slack: true }, security: { email: true } },
      digest: { frequency: 'off', at: '08:00', timezone: null },
      quiet_hours: null,
      slack: null,
      updated_at: null,
    })
    const changed = await change({ categories: { data: { email: true } } }, '', harness.machine)
    expect(changed.body.data).toMatchObject({ level: 'workspace', categories: { data: { email: true } } })
    expect(await read()).toMatchObject({ level: 'user', categories: { data: { email: true } }, updated_at: null })
    await change({ categories: { data: { email: false } } })
    expect(await read()).toMatchObject({ categories: { data: { email: false } } })
    expect(await read('?level=workspace')).toMatchObject({ categories: { data: { email: true } } })
    await change({ categories: { data: { email: null } } })
    expect(await read()).toMatchObject({ categories: { data: { email: true } } })
  })

  it('have quiet hours and a digest', async () => {
    const quietHours = { start: '22:00', end: '07:00', timezone: 'Europe/Berlin' }
    const digest = { frequency: 'weekly', at: '09:30', timezone: null }
    const { body } = await change({ quiet_hours: quietHours, digest })
    expect(body.data).toMatchObject({ quiet_hours: quietHours, digest })
    expect(await read()).toMatchObject({ quiet_hours: quietHours, digest })
  })

  it.each([
    [{ categories: { critical: { email: false } } }, '/categories/critical/email'],
    [{ categories: { gossip: { email: false } } }, '/categories/gossip'],
    [{ quiet_hours: { start: '22:00', end: '22:00', timezone: 'UTC' } }, '/quiet_hours/end'],
    [{ quiet_hours: { start: '24:00', end: '07:00', timezone: 'UTC' } }, '/quiet_hours/start'],
    [{ quiet_hours: { start: '22:00', end: '07:00', timezone: 'Berlin' } }, '/quiet_hours/timezone'],
    [{ digest: { frequency: 'hourly', at: '08:00', timezone: null } }, '/digest/frequency'],
    [{ slack: { integration_id: 'int_01h455vb4pex5vsknk084sn02q', channel: null } }, '/slack/integration_id'],
  ])('reject %j and name the field', async (body, pointer) => {
    const response = await change(body)
    expect([response.status, pointersOf(response.body)]).toEqual([400, [pointer]])
  })

  it('reject an integration of another provider, or of another workspace', async () => {
    const create = (provider: string, config: unknown, secrets: unknown, as = harness.user) =>
      harness.call('POST', '/v1/integrations/integrations', {
        as,
        ...(as === harness.user ? {} : { headers: {} }),
        body: { provider, name: `${provider} ${as.slice(-6)}`, config, secrets },
      })
    const http = await create('http', { base_url: 'https://example.com' }, {})
    const other = await change({ slack: { integration_id: http.body.data.integration_id, channel: '#ops' } })
    expect([other.status, pointersOf(other.body)]).toEqual([400, ['/slack/integration_id']])
    const stranger = await harness.fleet.token(harness.fleet.stranger)
    const foreign = await create('slack', {}, { bot_token: 'xoxb-1' }, stranger)
    const refused = await change({ slack: { integration_id: foreign.body.data.integration_id, channel: '#ops' } })
    expect([refused.status, pointersOf(refused.body)]).toEqual([400, ['/slack/integration_id']])
    const own = await create('slack', {}, { bot_token: 'xoxb-2' })
    const slack = { integration_id: own.body.data.integration_id, channel: '#ops' }
    expect((await change({ slack })).body.data.slack).toEqual(slack)
  })

  it('of the workspace are changed with notifications:write only', async () => {
    const narrow = await harness.fleet.token(harness.fleet.owner, 'notifications:read')
    const refused = await change({ digest: null }, '', narrow)
    expect([refused.status, refused.body.required_scope]).toEqual([403, 'notifications:write'])
    const viewer = await harness.fleet.userToken(await harness.addMember('viewer'))
    expect((await change({ digest: null }, '', viewer)).status).toBe(200)
    expect((await change({ digest: null }, '?level=workspace', viewer)).body.required_scope).toBe('notifications:write')
    expect((await read('?level=user', narrow)) ?? 'refused').toBe('refused')
  })
})
