import { afterAll, describe, expect, it } from '@jest/globals'
import type { Scope } from '@wp/contracts'
import { eventually } from '@wp/testkit'
import { type SemanticWorkspace, startSemanticFleet } from '../support/semantic-fleet.ts'
import { startDataService } from '../support/service.ts'

const test = await startSemanticFleet()
/** The data service without the others. */
const single = await startDataService()
afterAll(async () => {
  await single.stop()
  await test.stop()
})

const notes = [
  { id: 1, title: 'Garage', text: 'Where each car is parked overnight.' },
  { id: 2, title: 'Surgery', text: 'The doctor sees patients in the morning.' },
]
const path = '/v1/data/embedding'

/** Connects an integration without choosing it. */
async function connectOnly({ request }: SemanticWorkspace): Promise<string> {
  const { body } = await request('POST', '/v1/integrations/integrations', {
    provider: 'openai_compatible',
    name: 'Models',
    config: { base_url: test.server.url, embedding_model: 'tiny' },
    secrets: { api_key: 'sk-1' },
  })
  const id = body.data.integration_id
  expect((await request('POST', `/v1/integrations/integrations/${id}/test`)).body.data.ok).toBe(true)
  return id
}

const readStatus = async ({ request }: SemanticWorkspace) => (await request('GET', path)).body.data.status

describe('a connected integration that can make embeddings', () => {
  it('is sent no text before the workspace has chosen it', async () => {
    const [hesitant, decided] = [await test.createWorkspace(), await test.createWorkspace()]
    await hesitant.createSource(notes)
    test.server.requests.length = 0
    const integrationId = await connectOnly(hesitant)
    // The connection test sends a fixed text.
    expect(test.server.requests.map(({ input }) => input)).toEqual([['test']])
    // The worker looks at all workspaces in each pass: what it does not do for one is known when the other is done.
    await decided.connectProvider()
    await decided.createSource([{ id: 1, title: 'Other', text: 'workspace' }])
    await decided.waitUntilEmbedded()
    expect(test.server.requestedTexts()).toEqual(['Other\n\nworkspace'])
    expect((await hesitant.request('GET', '/v1/data/search?q=car&mode=semantic')).status).toBe(409)
    expect((await hesitant.request('GET', path)).body.data).toMatchObject({
      integration_id: null,
      status: 'off',
      sources: 1,
      records: { embedded: 0, pending: 2 },
    })

    const chosen = await hesitant.request('PATCH', path, { integration_id: integrationId })
    expect([chosen.status, chosen.body.data]).toMatchObject([200, { integration_id: integrationId, status: 'pending' }])
    await hesitant.waitUntilEmbedded()
    expect((await hesitant.request('GET', path)).body.data).toMatchObject({
      status: 'active',
      records: { embedded: 2, pending: 0 },
    })
  })

  it('is sent only the records of sources with `embed`', async () => {
    const workspace = await test.createWorkspace()
    await workspace.connectProvider()
    const privateId = await workspace.createSource(notes, { embed: false })
    test.server.requests.length = 0
    await workspace.createSource([{ id: 1, title: 'Public', text: 'automobile' }])
    await workspace.waitUntilEmbedded()
    expect(test.server.requestedTexts()).toEqual(['Public\n\nautomobile'])
    const { data, meta } = await workspace.search('car')
    expect([data.map(({ title }: { title: string }) => title), meta.warnings]).toEqual([['Public'], []])

    expect((await workspace.request('PATCH', `/v1/data/sources/${privateId}`, { embed: true })).status).toBe(200)
    await workspace.waitUntilEmbedded()
    expect(await workspace.searchTitles('car')).toEqual(expect.arrayContaining(['Public', 'Garage']))
    await workspace.request('PATCH', `/v1/data/sources/${privateId}`, { embed: false })
    expect(await workspace.searchTitles('car')).toEqual(['Public'])
  })

  it('is sent nothing more after the choice has ended', async () => {
    const workspace = await test.createWorkspace()
    await workspace.connectProvider()
    const id = await workspace.createSource(notes)
    await workspace.waitUntilEmbedded()
    expect((await workspace.request('PATCH', path, { integration_id: null })).body.data.status).toBe('off')
    test.server.requests.length = 0
    await workspace.upload(id, [{ id: 3, title: 'Late', text: 'late' }])
    expect((await workspace.request('GET', '/v1/data/search?q=car&mode=semantic')).status).toBe(409)
    const other = await test.createWorkspace()
    await other.connectProvider()
    await other.createSource([{ id: 1, title: 'Other', text: 'workspace' }])
    await other.waitUntilEmbedded()
    expect(test.server.requestedTexts()).toEqual(['Other\n\nworkspace'])
  })

  it('is sent nothing at another address until it is chosen again', async () => {
    const workspace = await test.createWorkspace()
    const integrationId = await workspace.connectProvider()
    await workspace.createSource(notes)
    await workspace.waitUntilEmbedded()
    const integration = `/v1/integrations/integrations/${integrationId}`
    const change = { config: { base_url: `${test.server.url}/` }, secrets: { api_key: 'sk-2' } }
    expect((await workspace.request('PATCH', integration, change)).status).toBe(200)
    expect((await workspace.request('POST', `${integration}/test`)).body.data.ok).toBe(true)
    await eventually(async () => (await readStatus(workspace)) === 'unavailable')
    expect((await workspace.request('GET', '/v1/data/search?q=car&mode=semantic')).status).toBe(409)
    await workspace.request('PATCH', path, { integration_id: integrationId })
    await eventually(async () => (await readStatus(workspace)) === 'active')
    expect((await workspace.request('GET', '/v1/data/search?q=car&mode=semantic')).status).toBe(200)
  })
})

describe('PATCH /v1/data/embedding', () => {
  it.each<[Scope[], number]>([
    [['data:read', 'data:write'], 403],
    [['data:read', 'integrations:read'], 403],
    [['data:write', 'integrations:read'], 200],
  ])('with the scopes %j answers %d', async (scopes, status) => {
    const response = await single.request('PATCH', path, { caller: { scopes }, body: { integration_id: null } })
    expect(response.status).toBe(status)
    if (status === 403) expect(response.body.code).toBe('missing_scope')
  })

  it('rejects an integration of another workspace or provider, and a model without one', async () => {
    const workspace = await test.createWorkspace()
    const foreignId = await connectOnly(await test.createWorkspace())
    const { body } = await workspace.request('POST', '/v1/integrations/integrations', {
      provider: 'http',
      name: 'Web',
      config: { base_url: test.server.url },
    })
    for (const [given, pointer] of [
      [{ integration_id: body.data.integration_id }, '/integration_id'],
      [{ integration_id: foreignId }, '/integration_id'],
      [{ model: 'tiny' }, '/model'],
    ] as const) {
      const response = await workspace.request('PATCH', path, given)
      expect([response.status, response.body.errors]).toMatchObject([400, [{ pointer }]])
    }
  })

  it('chooses another model than that of the integration', async () => {
    const workspace = await test.createWorkspace()
    await workspace.connectProvider()
    await workspace.request('PATCH', path, { model: 'large' })
    test.server.requests.length = 0
    await workspace.createSource(notes)
    await workspace.waitUntilEmbedded()
    expect(test.server.requests.filter(({ input }) => input.length > 1).map(({ model }) => model)).toEqual(['large'])
  })
})
