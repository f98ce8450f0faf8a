import { afterAll, describe, expect, it } from '@jest/globals'
import { createSearchWorkspace } from '../support/search-workspace.ts'
import { startDataService } from '../support/service.ts'

const service = await startDataService()
afterAll(() => service.stop())

/** Almost the size of the largest row. */
const length = 250_000

describe('a record with a text that is expensive to parse', () => {
  // The parser of PostgreSQL would need minutes for some of them, and the time limit of a statement is 30 s.
  it.each(['a_', '_1', 'a1@', '1@a', '<!--', 'a-', 'a1.', 'a/', '.a', '&a', '://a'])(
    'is stored and found like any other: %s repeated',
    async (unit) => {
      const { createSource, search } = createSearchWorkspace(service)
      const text = `walrus ${unit.repeat(Math.ceil(length / unit.length))}`
      const rows = [
        { id: '1', title: 'Hostile', text },
        { id: '2', title: 'Other', text: 'otter' },
      ]
      await createSource(rows, { title_field: 'title', text_field: 'text' })
      const { data } = await search({ query: 'walrus ', highlight: true })
      expect(data).toMatchObject([{ title: 'Hostile', snippet: expect.stringContaining('<mark>walrus</mark>') }])
    },
  )
})
