import { beforeAll, describe, expect, it } from '@jest/globals'
import type { Client } from '@modelcontextprotocol/client'
import { type McpFleet, type McpSuite, revisions } from '../fixture/mcp-fleet.ts'
import type { Samples } from '../fixture/samples.ts'

let mcp: McpFleet
let samples: Samples
let stranger: Client

const recordUri = () => `workspace://records/${samples.recordId}`
const runUri = () => `workspace://agent-runs/${samples.runId}`

async function read(client: Client, uri: string) {
  const { contents } = await client.readResource({ uri })
  const [content] = contents
  if (content === undefined || !('text' in content)) throw new Error('the resource is no text')
  return { ...content, text: JSON.parse(content.text) }
}

/** Tests resources and prompts. */
export function describeResourcesAndPrompts(suite: McpSuite): void {
  beforeAll(async () => {
    ;({ mcp, samples } = suite)
    stranger = await mcp.connect(mcp.context.stranger.principal)
  })

  describe.each(revisions)('in revision %s', (revision) => {
    let owner: Client
    beforeAll(async () => {
      owner = await mcp.connect(mcp.context.owner.principal, revision)
    })

    it('lists the agent runs as resources, and templates for records and runs', async () => {
      const { resources } = await owner.listResources()
      expect(resources).toContainEqual(expect.objectContaining({ uri: runUri(), mimeType: 'application/json' }))
      const { resourceTemplates } = await owner.listResourceTemplates()
      expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
        'workspace://records/{record_id}',
        'workspace://agent-runs/{id}',
      ])
    })

    it.each(['listTools', 'listResources', 'listResourceTemplates', 'listPrompts'] as const)(
      'rejects a cursor that it has not given out in %s',
      async (list) => {
        await expect(owner[list]({ cursor: 'x' })).rejects.toMatchObject({ code: -32_602 })
      },
    )

    it('reads a record and an agent run', async () => {
      const record = await read(owner, recordUri())
      expect(record).toMatchObject({ uri: recordUri(), text: { data: { record_id: samples.recordId } } })
      expect((await read(owner, runUri())).text.data).toMatchObject({ id: samples.runId, status: 'finished' })
    })

    it('does not find a resource that does not exist', async () => {
      for (const uri of ['workspace://records/rec_1', 'workspace://secrets/1', 'file:///etc/passwd'])
        await expect(owner.readResource({ uri })).rejects.toThrow(/not found/i)
    })

    it('offers the blueprints as prompts', async () => {
      const blueprint = { name: 'greeting', instructions: 'Greet the guest.' }
      const schema = {
        type: 'object',
        properties: { guest: { type: 'string', description: 'The name' }, room: { type: 'string' } },
        required: ['guest'],
      }
      const body = { ...blueprint, description: 'Greets', input_schema: schema }
      const id = await mcp.context.createId('/v1/agents/blueprint', body)
      const { prompts } = await owner.listPrompts()
      expect(prompts.find(({ name }) => name === id)).toEqual({
        name: id,
        title: 'greeting',
        description: 'Greets',
        arguments: [
          { name: 'guest', description: 'The name', required: true },
          { name: 'room', required: false },
        ],
      })
      const { messages } = await owner.getPrompt({ name: id, arguments: { guest: 'Ada' } })
      const text = 'Greet the guest.\n\nguest: Ada'
      expect(messages).toEqual([{ role: 'user', content: { type: 'text', text } }])
      await expect(owner.getPrompt({ name: id, arguments: {} })).rejects.toThrow('guest is required')
      await expect(owner.getPrompt({ name: id, arguments: { guest: 'Ada', x: '1' } })).rejects.toThrow('x is not')
      await expect(stranger.getPrompt({ name: id, arguments: { guest: 'Ada' } })).rejects.toThrow('Unknown prompt')
    })
  })

  it('a resource of another workspace is not found', async () => {
    for (const uri of [recordUri(), runUri()])
      await expect(stranger.readResource({ uri })).rejects.toThrow(/not found/i)
    const { resources } = await stranger.listResources()
    expect(resources).toEqual([])
  })

  it('resources and prompts are listed with the scopes to read them only', async () => {
    const client = await mcp.connect(await mcp.fleet.token(mcp.fleet.owner, 'mcp:use data:read'))
    expect((await client.listResources()).resources).toEqual([])
    expect((await client.listPrompts()).prompts).toEqual([])
    const { resourceTemplates } = await client.listResourceTemplates()
    expect(resourceTemplates.map(({ name }) => name)).toEqual(['record'])
    await expect(client.readResource({ uri: runUri() })).rejects.toThrow('agents:read')
  })
}
