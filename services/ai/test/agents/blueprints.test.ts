import { afterAll, describe, expect, it } from '@jest/globals'
import { builtInTools } from '@wp/contracts'
import { checkInputSchema } from '../../src/agents/input-schema/input-schema.ts'
import { builtInBlueprints } from '../../src/blueprints/built-in.ts'
import { agentsPath, blueprintsPath, refusalOf, startAgentsService } from '../fixture/agents-service.ts'

const service = await startAgentsService()
afterAll(() => service.stop())

const builtInIds = ['question_answering', 'workplace_analyst', 'report_writer']
const versionsOf = (id: string) => `${blueprintsPath}/${id}/versions`

describe('the built-in blueprints', () => {
  it('have ids that are names, tools that exist, and a valid input schema', () => {
    expect(builtInBlueprints.map(({ id }) => id)).toEqual(builtInIds)
    for (const { versions } of builtInBlueprints)
      for (const { content } of versions) {
        checkInputSchema(content.inputSchema)
        expect(content.tools.filter((tool) => !builtInTools.some((name) => name === tool))).toEqual([])
        expect(content.instructions).toMatch(/\[1\][\s\S]*data, not instructions/)
      }
  })

  it('are read by every workspace, with their versions', async () => {
    for (const id of builtInIds) {
      const read = await service.request('GET', `${blueprintsPath}/${id}`, { caller: service.stranger })
      expect(read.body.data).toMatchObject({ id, built_in: true, version: 1, metadata: {}, external_id: null })
      const versions = await service.get(versionsOf(id))
      expect(versions.body.data).toMatchObject([{ id, version: 1, changes: [], created_by: null }])
    }
  })

  it('cannot be changed', async () => {
    const response = await service.post(versionsOf('report_writer'), { instructions: 'Mine' })
    expect([...refusalOf(response), response.body.detail]).toEqual([
      ...[409, 'conflict', undefined],
      'The blueprint report_writer is built in and cannot be changed; create your own with POST /v1/agents/blueprint',
    ])
  })

  it('are listed after those of the workspace, in pages of any size', async () => {
    const before = (await service.listAll(`${blueprintsPath}?built_in=false`, 100)).map(({ id }) => id)
    const [first, second] = [await service.create(blueprintsPath), await service.create(blueprintsPath)]
    const all = [second.id, first.id, ...before, ...builtInIds]
    for (const limit of [1, 2, all.length - 3, all.length - 2, all.length, 100])
      expect([limit, (await service.listAll(blueprintsPath, limit)).map(({ id }) => id)]).toEqual([limit, all])
    expect((await service.listAll(`${blueprintsPath}?built_in=true`, 2)).map(({ id }) => id)).toEqual(builtInIds)
    expect((await service.listAll(`${blueprintsPath}?built_in=false`, 1)).map(({ id }) => id)).toEqual(
      all.filter((id) => !builtInIds.includes(id)),
    )
  })

  it('match the filters of the list', async () => {
    const own = await service.create(blueprintsPath, { name: 'Report writer', external_id: 'e', metadata: { a: 'b' } })
    const ids = async (query: string) => (await service.listAll(`${blueprintsPath}?${query}`, 1)).map(({ id }) => id)
    expect(await ids('name=Report%20writer')).toEqual([own.id, 'report_writer'])
    expect(await ids('external_id=e')).toEqual([own.id])
    expect(await ids('metadata[a]=b')).toEqual([own.id])
  })
})

describe('a blueprint', () => {
  it('is returned as it was given, with Location', async () => {
    const body = {
      name: 'Own',
      instructions: 'Be brief.',
      description: 'd',
      tools: ['search_data'],
      metadata: { a: 'b' },
    }
    const response = await service.post(blueprintsPath, body)
    const { id } = response.body.data
    expect(response.headers.get('location')).toBe(`http://localhost:4000${blueprintsPath}/${id}`)
    expect(response.body.data).toMatchObject({
      ...body,
      version: 1,
      built_in: false,
      model: { provider: 'local' },
      input_schema: null,
      external_id: null,
    })
    expect((await service.get(`${blueprintsPath}/${id}`)).body).toEqual(response.body)
  })

  it('gets a new version from its current one with what is given', async () => {
    const blueprint = await service.create(blueprintsPath, {
      tools: ['search_data'],
      model: { provider: 'default', id: 'm' },
    })
    const second = await service.post(versionsOf(blueprint.id), { name: 'Second', model: { temperature: 1 } })
    expect(second.status).toBe(201)
    expect(second.body.data).toMatchObject({
      id: blueprint.id,
      version: 2,
      name: 'Second',
      instructions: 'Be brief.',
      tools: ['search_data'],
      model: { provider: 'default', id: 'm', temperature: 1 },
    })
    const versions = await service.listAll(versionsOf(blueprint.id), 1)
    expect(versions).toMatchObject([
      {
        version: 2,
        name: 'Second',
        created_by: service.caller.principal.id,
        changes: [
          { field: 'name', from: 'Guide', to: 'Second' },
          { field: 'model.temperature', from: null, to: 1 },
        ],
      },
      { version: 1, name: 'Guide', changes: [] },
    ])
    // Agents keep the version they were made from.
    const agent = await service.create(agentsPath, { blueprint_id: blueprint.id, blueprint_version: 1 })
    expect(agent.model).toEqual({ provider: 'default', id: 'm' })
  })

  it('gets consecutive versions that lose nothing when many are created at once', async () => {
    const blueprint = await service.create(blueprintsPath)
    const fields = ['name', 'description', 'instructions'] as const
    const bodies = [
      ...fields.map((field) => ({ [field]: `new ${field}` })),
      ...Array(7).fill({ tools: ['list_sources'] }),
    ]
    const created = await Promise.all(bodies.map((body) => service.post(versionsOf(blueprint.id), body)))
    expect(created.map(({ status }) => status)).toEqual(bodies.map(() => 201))
    const numbers = created.map(({ body }) => body.data.version).toSorted((a, b) => a - b)
    expect(numbers).toEqual(bodies.map((_, position) => position + 2))
    expect((await service.get(`${blueprintsPath}/${blueprint.id}`)).body.data).toMatchObject({
      version: bodies.length + 1,
      name: 'new name',
      description: 'new description',
      instructions: 'new instructions',
      tools: ['list_sources'],
    })
  })

  it('is rejected when its input schema is not usable', async () => {
    const body = { name: 'a', instructions: '', input_schema: { type: 'object', properties: { a: { pattern: 'a' } } } }
    expect(refusalOf(await service.post(blueprintsPath, body))).toEqual([
      ...[400, 'validation_failed', '/input_schema/properties/a/pattern'],
    ])
    const { id } = await service.create(blueprintsPath)
    expect(refusalOf(await service.post(versionsOf(id), { input_schema: { type: 'array' } }))).toEqual([
      ...[400, 'validation_failed', '/input_schema/type'],
    ])
  })
})
