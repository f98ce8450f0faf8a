import { afterAll, describe, expect, it } from '@jest/globals'
import { createSearchWorkspace } from '../support/search-workspace.ts'
import { startDataService } from '../support/service.ts'

const service = await startDataService()
afterAll(() => service.stop())

describe('a search in PostgreSQL', () => {
  const rows = [
    { id: '1', title: 'Hyphen', text: 'Levels of IL-2 and of Façade-Leroy rise' },
    { id: '2', title: 'Joined', text: 'Levels of IL2 fall' },
    { id: '3', title: 'Apart', text: 'IL is a state, and 2 is a number' },
    { id: '4', title: 'A4.12', text: 'The co-worker sits here' },
    { id: '5', title: 'B7/30', text: 'Our coworkers sit there' },
  ]

  it.each(['IL-2 ', 'IL2 ', 'il2. '])('ranks all spellings of %s before its parts', async (query) => {
    const { createSource, searchTitles } = createSearchWorkspace(service)
    await createSource(rows)
    const titles = await searchTitles(query)
    expect(titles.toSorted()).toEqual(['Apart', 'Hyphen', 'Joined'])
    expect(titles.at(-1)).toBe('Apart')
  })

  it('finds all spellings of a name by its parts', async () => {
    const { createSource, searchTitles } = createSearchWorkspace(service)
    await createSource(rows)
    expect((await searchTitles('il 2 ')).toSorted()).toEqual(['Apart', 'Hyphen', 'Joined'])
  })

  it('finds joined words by their parts and words with hyphens by the joined word', async () => {
    const { createSource, searchTitles } = createSearchWorkspace(service)
    await createSource(rows)
    expect((await searchTitles('co-worker ')).toSorted()).toEqual(['A4.12', 'B7/30'])
    expect((await searchTitles('coworker ')).toSorted()).toEqual(['A4.12', 'B7/30'])
    expect(await searchTitles('facadeleroy ')).toEqual(['Hyphen'])
  })

  it.each(['A4-12 ', 'a4/12 ', 'A412 ', 'a4.12 '])('finds a code by the spelling %s', async (query) => {
    const { createSource, searchTitles } = createSearchWorkspace(service)
    await createSource(rows)
    expect((await searchTitles(query))[0]).toBe('A4.12')
  })

  it('does not correct another spelling of a word that has matches', async () => {
    const { createSource, search } = createSearchWorkspace(service)
    await createSource([...rows, { id: '6', title: 'Similar', text: 'the statesofart' }])
    const { meta } = await search({ query: 'state-of-art ' })
    expect(meta.warnings).toEqual([])
  })
})

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
