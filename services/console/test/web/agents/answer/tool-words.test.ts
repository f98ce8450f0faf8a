import { expect, it } from '@jest/globals'
import { describeTool, shownStatus, summarizeInput } from '../../../../web/src/agents/answer/tool-words.ts'

it('names a tool in plain words', () => {
  expect([describeTool('search_data'), describeTool('api_example_com_create_ticket')]).toEqual([
    'Search your data',
    'Api example com create ticket',
  ])
})

it('names the integration and the action of a tool when the integration is known', () => {
  const integrations = [
    { provider: 'slack', name: 'Chat', config: {} },
    { provider: 'http', name: 'Tickets', config: { base_url: 'http://127.0.0.1:4001/v1' } },
    { provider: 'mcp_server', name: 'Wiki', config: { url: 'https://wiki-of-the-company.example.com/mcp' } },
  ]
  const tools = [
    'http_127_0_0_1_send',
    'http_127_0_0_1_get_2',
    'wiki_of_the_company_exam_create_page',
    'http_other_get',
  ]
  expect(tools.map((tool) => describeTool(tool, integrations).replaceAll(/[\u2068\u2069]/g, ''))).toEqual([
    'Send to Tickets',
    'Read from Tickets',
    'Create page in Wiki',
    'Http other get',
  ])
})

it('summarizes an input by its texts, without numbers that tell nothing alone', () => {
  expect(summarizeInput({ limit: 10, query: 'full berlin', filters: {} })).toBe('full berlin')
  expect(summarizeInput({ method: 'GET', path: '/tickets', page: 2 })).toBe('GET /tickets')
  expect(summarizeInput({ limit: 1 })).toBe('')
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
