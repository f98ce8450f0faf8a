import { afterAll, expect, it } from '@jest/globals'
import { builtInTools } from '@wp/contracts'
import { startTestService } from '@wp/testkit'
import { definition } from '../../src/index.ts'

const service = await startTestService(definition)
afterAll(() => service.stop())

it('lists the built-in tools, page by page', async () => {
  const names: string[] = []
  let cursor = ''
  do {
    const { body } = await service.request('GET', `/v1/agents/tools?limit=3${cursor}`)
    names.push(...body.data.map(({ name }: { name: string }) => name))
    cursor = body.pagination.next_cursor === null ? '' : `&cursor=${body.pagination.next_cursor}`
  } while (cursor !== '')
  expect(names).toEqual(builtInTools)
  const { body } = await service.request('GET', '/v1/agents/tools')
  expect(body.data[0]).toMatchObject({
    name: 'search_data',
    required_scopes: ['data:read'],
    requires_approval: false,
    input_schema: { type: 'object', additionalProperties: false, properties: { query: { type: 'string' } } },
  })
})
