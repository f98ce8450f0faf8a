import { afterAll, describe, expect, it } from '@jest/globals'
import { setTestQuota } from '@wp/testkit'
import { builtInBlueprints } from '../../src/blueprints/built-in.ts'
import { agentsPath, blueprintsPath, refusalOf, startAgentsService } from '../fixture/agents-service.ts'

const service = await startAgentsService()
afterAll(() => service.stop())

const pathOf = ({ agent_id: id }: { agent_id: string }) => `${agentsPath}/${id}`
const versionsOf = async (agent: { agent_id: string }) => (await service.get(`${pathOf(agent)}/versions`)).body.data
const unknownBlueprint = 'bp_01h455vb4pex5vsknk084sn02q'

describe('an agent from scratch', () => {
  it('has defaults for everything but its name', async () => {
    const response = await service.post(agentsPath, { name: 'Guide' })
    const { agent_id: id } = response.body.data
    expect([response.status, response.headers.get('location')]).toEqual([
      201,
      `http://localhost:4000${agentsPath}/${id}`,
    ])
    expect(response.body.data).toEqual({
      agent_id: expect.stringMatching(/^agt_/),
      name: 'Guide',
      description: '',
      blueprint_id: null,
      blueprint_version: null,
      instructions: '',
      model: { provider: 'local' },
      tools: [],
      input_schema: null,
      data_source_ids: [],
      status: 'active',
      budget: {
        tokens_per_run: null,
        tokens_per_day: null,
        runs_per_day: null,
        cost_per_run: null,
        cost_per_day: null,
      },
      autonomy: 'guarded',
      gate: null,
      version: 1,
      metadata: {},
      external_id: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    expect((await service.get(`${agentsPath}/${id}`)).body).toEqual(response.body)
  })

  it('keeps what was given, with the order of the members of its schema', async () => {
    const given = {
      name: 'Guide',
      description: 'Knows the building',
      instructions: 'Be brief.',
      status: 'draft',
      model: { provider: 'default', id: 'm', temperature: 0.2, max_output_tokens: 100 },
      tools: ['search_data', 'read_record'],
      input_schema: { type: 'object', properties: { zone: { type: 'string' }, after: { type: 'string' } } },
      metadata: { team: 'north' },
      external_id: 'x-1',
    }
    const agent = await service.create(agentsPath, given)
    const read = (await service.get(pathOf(agent))).body.data
    expect(read).toMatchObject(given)
    expect(Object.keys(read.input_schema.properties)).toEqual(['zone', 'after'])
  })

  it.each([
    [{}, '/name'],
    [{ name: 'a', blueprint_version: 1 }, '/blueprint_version'],
    [{ name: 'a', tools: ['search_data', 'search_data'] }, '/tools/1'],
    [{ name: 'a', tools: ['unknown'] }, '/tools/0'],
    [
      {
        name: 'a',
        tools: [{ type: 'mcp_server', integration_id: 'int_01h455vb4pex5vsknk084sn02q', methods: ['GET'] }],
      },
      '/tools/0/methods',
    ],
    [{ name: 'a', model: { provider: 'other' } }, '/model/provider'],
    [{ name: 'a', data_source_ids: Array(2).fill('src_01h455vb4pex5vsknk084sn02q') }, '/data_source_ids/1'],
    [{ name: 'a', status: 'archived' }, '/status'],
    [
      { name: 'a', input_schema: { type: 'object', properties: { a: { type: 'text' } } } },
      '/input_schema/properties/a/type',
    ],
  ])('is rejected when the body is %j', async (body, pointer) => {
    expect(refusalOf(await service.post(agentsPath, body))).toEqual([400, 'validation_failed', pointer])
  })
})

describe('an agent from a blueprint', () => {
  it('takes the content of the current version, with the overrides; the model is merged', async () => {
    const schema = { type: 'object', properties: { topic: { type: 'string' } } }
    const model = { provider: 'default', id: 'm', temperature: 1 }
    const blueprint = await service.create(blueprintsPath, {
      description: 'Old',
      tools: ['list_sources'],
      input_schema: schema,
      model,
    })
    await service.post(`${blueprintsPath}/${blueprint.id}/versions`, { description: 'New' })
    const agent = await service.create(agentsPath, {
      blueprint_id: blueprint.id,
      instructions: 'Mine',
      model: { temperature: 0 },
    })
    expect(agent).toMatchObject({
      name: 'Guide',
      description: 'New',
      instructions: 'Mine',
      tools: ['list_sources'],
      input_schema: schema,
      blueprint_id: blueprint.id,
      blueprint_version: 2,
      version: 1,
      model: { provider: 'default', id: 'm', temperature: 0 },
    })
    const pinned = await service.create(agentsPath, {
      blueprint_id: blueprint.id,
      blueprint_version: 1,
      input_schema: null,
    })
    expect(pinned).toMatchObject({ description: 'Old', blueprint_version: 1, input_schema: null })
    const moved = await service.create(agentsPath, { blueprint_id: blueprint.id, model: { provider: 'local' } })
    expect(moved.model).toEqual({ provider: 'local', temperature: 1 })
  })

  it.each(builtInBlueprints.map(({ id }) => id))('can be made from the built-in %s', async (id) => {
    const blueprint = (await service.get(`${blueprintsPath}/${id}`)).body.data
    const { instructions, tools, input_schema } = blueprint
    expect(await service.create(agentsPath, { blueprint_id: id })).toMatchObject({
      instructions,
      tools,
      input_schema,
      blueprint_id: id,
      blueprint_version: 1,
    })
  })

  it('is rejected when the blueprint or its version does not exist or belongs to another workspace', async () => {
    const own = await service.create(blueprintsPath)
    const foreign = (await service.post(blueprintsPath, { name: 'a', instructions: '' }, service.stranger)).body.data
    const attempt = async (fields: object) => refusalOf(await service.post(agentsPath, { name: 'a', ...fields }))
    for (const id of [unknownBlueprint, foreign.id, 'nothing'])
      expect(await attempt({ blueprint_id: id })).toEqual([400, 'unknown_reference', '/blueprint_id'])
    for (const id of [own.id, 'report_writer'])
      expect(await attempt({ blueprint_id: id, blueprint_version: 2 })).toEqual([
        ...[400, 'unknown_reference', '/blueprint_version'],
      ])
  })
})

describe('a change of an agent', () => {
  it('of its content creates a version that is listed with the differences, newest first', async () => {
    const agent = await service.create(agentsPath, { model: { provider: 'default', id: 'm' } })
    const changed = await service.patch(pathOf(agent), { name: 'Renamed', model: { temperature: 0.5 } })
    expect(changed.body.data).toMatchObject({
      version: 2,
      name: 'Renamed',
      model: { provider: 'default', id: 'm', temperature: 0.5 },
    })
    await service.patch(pathOf(agent), { model: { temperature: null, provider: 'local' }, tools: ['search_data'] })
    const versions = await versionsOf(agent)
    expect(versions.map(({ version, changes }: { version: number; changes: unknown }) => [version, changes])).toEqual([
      [
        3,
        [
          { field: 'model.provider', from: 'default', to: 'local' },
          { field: 'model.id', from: 'm', to: null },
          { field: 'model.temperature', from: 0.5, to: null },
          { field: 'tools', from: [], to: ['search_data'] },
        ],
      ],
      [
        2,
        [
          { field: 'name', from: 'Guide', to: 'Renamed' },
          { field: 'model.temperature', from: null, to: 0.5 },
        ],
      ],
      [1, []],
    ])
    expect(versions[0]).toMatchObject({
      agent_id: agent.agent_id,
      name: 'Renamed',
      model: { provider: 'local' },
      created_by: service.caller.principal.id,
    })
  })

  it('that changes nothing creates no version and leaves the agent as it is', async () => {
    const schema = { type: 'object', properties: { a: { type: 'string', minLength: 1 } } }
    const agent = await service.create(agentsPath, {
      tools: ['search_data'],
      input_schema: schema,
      metadata: { a: 'b' },
    })
    const same = { properties: { a: { minLength: 1, type: 'string' } }, type: 'object' }
    const { agent_id: _id, version: _version, blueprint_id: _from, created_at: _c, updated_at: _u, ...content } = agent
    const { blueprint_version: _none, ...patch } = content
    const response = await service.patch(pathOf(agent), { ...patch, input_schema: same })
    expect([response.status, response.body.data]).toEqual([200, agent])
    expect((await service.patch(pathOf(agent), {})).body.data).toEqual(agent)
    expect(await versionsOf(agent)).toHaveLength(1)
  })

  it('of status, metadata or external id creates no version', async () => {
    const agent = await service.create(agentsPath, { metadata: { a: '1', b: '2' } })
    const changed = await service.patch(pathOf(agent), { status: 'archived', metadata: { a: null }, external_id: 'x' })
    expect(changed.body.data).toMatchObject({ version: 1, status: 'archived', metadata: { b: '2' }, external_id: 'x' })
    expect(await versionsOf(agent)).toHaveLength(1)
  })

  it('takes over another version of its blueprint', async () => {
    const blueprint = await service.create(blueprintsPath, { tools: ['list_sources'] })
    const agent = await service.create(agentsPath, { blueprint_id: blueprint.id, instructions: 'Mine' })
    await service.post(`${blueprintsPath}/${blueprint.id}/versions`, { instructions: 'Second', tools: [] })
    const updated = await service.patch(pathOf(agent), { blueprint_version: 2, description: 'Mine' })
    expect(updated.body.data).toMatchObject({
      name: 'Guide',
      instructions: 'Second',
      tools: [],
      description: 'Mine',
      blueprint_version: 2,
      version: 2,
    })
    expect(refusalOf(await service.patch(pathOf(agent), { blueprint_version: 3 }))).toEqual([
      ...[400, 'unknown_reference', '/blueprint_version'],
    ])
    const own = await service.create(agentsPath)
    expect(refusalOf(await service.patch(pathOf(own), { blueprint_version: 1 }))).toEqual([
      ...[400, 'validation_failed', '/blueprint_version'],
    ])
  })
})

describe('agents', () => {
  it('are listed newest first, in pages, and filtered', async () => {
    const first = await service.create(agentsPath, { name: 'Listed', external_id: 'l-1' })
    const second = await service.create(agentsPath, { name: 'Listed', metadata: { kind: 'l' } })
    await service.patch(pathOf(first), { status: 'archived' })
    const ids = async (query: string, limit = 100) =>
      (await service.listAll(`${agentsPath}?${query}`, limit)).map((agent) => agent.agent_id)
    expect(await ids('name=Listed', 1)).toEqual([second.agent_id, first.agent_id])
    expect(await ids('name=Listed&status=archived')).toEqual([first.agent_id])
    expect(await ids('external_id=l-1')).toEqual([first.agent_id])
    expect(await ids('metadata[kind]=l')).toEqual([second.agent_id])
    const made = await service.create(agentsPath, { blueprint_id: 'workplace_analyst', name: 'Made' })
    expect(await ids('blueprint_id=workplace_analyst&name=Made')).toEqual([made.agent_id])
    await service.patch(pathOf(second), { name: 'Renamed' })
    expect(await ids('name=Listed')).toEqual([first.agent_id])
  })

  it('have versions in pages, each compared with the one before it', async () => {
    const agent = await service.create(agentsPath)
    for (const instructions of ['a', 'b', 'c', 'd']) await service.patch(pathOf(agent), { instructions })
    const versions = await service.listAll(`${pathOf(agent)}/versions`, 2)
    expect(versions.map(({ version, changes }) => [version, changes[0]?.from])).toEqual([
      ...[
        [5, 'c'],
        [4, 'b'],
        [3, 'a'],
        [2, ''],
        [1, undefined],
      ],
    ])
    expect((await service.get(`${pathOf(agent)}/versions?cursor=WzAsImEiXQ`)).body).toMatchObject({
      code: 'invalid_cursor',
    })
  })

  it('that were deleted are not found, and their versions stay in the database', async () => {
    const agent = await service.create(agentsPath)
    expect((await service.delete(pathOf(agent))).body.data).toEqual({ agent_id: agent.agent_id, deleted: true })
    for (const path of [pathOf(agent), `${pathOf(agent)}/versions`]) expect((await service.get(path)).status).toBe(404)
    expect((await service.delete(pathOf(agent))).status).toBe(404)
    const kept = await service.context.database.worker.query('SELECT FROM agent_versions WHERE agent_id = $1', [
      agent.agent_id,
    ])
    expect(kept.rowCount).toBe(1)
  })

  it('are limited in number, like blueprints', async () => {
    const workspaceId = service.stranger.workspaceId ?? ''
    for (const [quota, path] of [
      ['agents', agentsPath],
      ['blueprints', blueprintsPath],
    ] as const) {
      await setTestQuota(service.env.DATABASE_WORKER_URL, workspaceId, quota, 1)
      const create = () =>
        service.post(
          path,
          { name: 'Guide', ...(path === blueprintsPath ? { instructions: '' } : {}) },
          service.stranger,
        )
      const existing = (
        await service.request('GET', `${path}?${path === blueprintsPath ? 'built_in=false' : ''}`, {
          caller: service.stranger,
        })
      ).body.data.length
      if (existing === 0) expect((await create()).status).toBe(201)
      expect(await create()).toMatchObject({
        status: 403,
        body: { code: 'quota_exceeded', quota, limit: 1, current: 1 },
      })
    }
    const reported = await service.request('GET', '/internal/ai/quota-usage', {
      caller: service.stranger,
      signer: 'system',
    })
    expect(reported.body.data.quotas).toEqual([
      { quota: 'agents', kind: null, limit: 1, current: 1 },
      { quota: 'blueprints', kind: null, limit: 1, current: 1 },
      { quota: 'triggers', kind: null, limit: 100, current: 0 },
      { quota: 'evaluation_sets', kind: null, limit: 100, current: 0 },
      { quota: 'evaluations', kind: null, limit: 1_000, current: 0 },
      { quota: 'queued_jobs', kind: 'agent_run', limit: 100, current: 0 },
      { quota: 'queued_jobs', kind: 'evaluation', limit: 100, current: 0 },
    ])
  })
})
