import { expect, it } from '@jest/globals'
import { describeTool, shownStatus, summarizeInput } from '../../../../web/src/agents/answer/tool-words.ts'

it('names a tool in plain words, and one of an integration by its title', () => {
  const words = (tool: string, title: string | null = null) => describeTool({ tool, title })
  expect([words('search_data'), words('api_example_com_create_ticket')]).toEqual([
    'Search your data',
    'Api example com create ticket',
  ])
  expect([words('search_data', 'Data in Search'), words('http_api_get_well_send', 'Send to Tickets')]).toEqual([
    'Data in Search',
    'Send to Tickets',
  ])
})

it('summarizes an input by its texts, without numbers that tell nothing alone', () => {
  const space = `spc_${'0'.repeat(26)}`
  const nameOf = (id: string) => (id === space ? 'North' : undefined)
  expect(summarizeInput({ limit: 10, query: 'full berlin', filters: {} }, nameOf)).toBe('full berlin')
  expect(summarizeInput({ method: 'GET', path: '/tickets', page: 2 }, nameOf)).toBe('GET /tickets')
  expect(summarizeInput({ limit: 1 }, nameOf)).toBe('')
  const input = { name: 'x'.repeat(70), space_id: space, data_source_id: `src_${'0'.repeat(26)}` }
  expect(summarizeInput(input, nameOf)).toBe(`${input.name}, “North”`)
  expect(summarizeInput({ ...input, name: 'A' }, nameOf)).toBe('A, “North”')
})

it('shows a call as failed when the service answered with an error', () => {
  const statusOf = (output: unknown) => shownStatus({ status: 'finished', output })
  expect([statusOf({ status: 404, body: {} }), statusOf({ status: 503 })]).toEqual(['failed', 'failed'])
  expect([statusOf({ status: 201 }), statusOf({ status: 'open' }), statusOf(null)]).toEqual([
    'finished',
    'finished',
    'finished',
  ])
  expect(shownStatus({ status: 'denied', output: { status: 404 } })).toBe('denied')
})
