import { describe, expect, it } from '@jest/globals'
import { newId } from '@wp/database'
import { queryAsWorker } from '../../support/database.ts'
import { createSearchWorkspace } from '../../support/search-workspace.ts'
import type { DataService } from '../../support/service.ts'

const floors = [
  { id: 'a', title: 'Coffee machines', text: 'The café on the third floor has machines for coffee & tea <b>' },
  { id: 'b', title: 'Meeting rooms', text: 'Rooms are booked by their occupants, who were running late.' },
  { id: 'c', title: 'Parking', text: 'Bikes park beneath the meeting hall.' },
]

/** Declares the tests of searches by words, which every engine passes. */
export function describeLexicalSearch(serviceOf: () => DataService): void {
  describe('a search by words', () => {
    const createWorkspace = () => createSearchWorkspace(serviceOf())

    it('finds any of its words in any inflection, case and accentuation', async () => {
      const { createSource, searchTitles } = createWorkspace()
      await createSource(floors)
      expect(await searchTitles('CAFE')).toEqual(['Coffee machines'])
      expect(await searchTitles('run')).toEqual(['Meeting rooms'])
      expect(await searchTitles('bikes for occupants ')).toEqual(expect.arrayContaining(['Parking', 'Meeting rooms']))
      expect(await searchTitles('meeting ')).toEqual(['Meeting rooms', 'Parking'])
      expect(await searchTitles('the of xylophone ')).toEqual([])
    })

    it('matches the last word as a prefix, unless a space follows', async () => {
      const { createSource, searchTitles } = createWorkspace()
      await createSource(floors)
      expect(await searchTitles('occ')).toEqual(['Meeting rooms'])
      expect(await searchTitles('occ ')).toEqual([])
      expect(await searchTitles('occ third ')).toEqual(['Coffee machines'])
    })

    it('searches similarly spelled words, with a warning, when no word matches', async () => {
      const { createSource, search } = createWorkspace()
      await createSource(floors)
      const { data, meta } = await search({ query: 'ocupants ' })
      expect(data.map(({ title }: { title: string }) => title)).toEqual(['Meeting rooms'])
      expect(meta.warnings).toMatchObject([{ code: 'respelled', message: expect.stringContaining('occup') }])
      expect((await search({ query: 'zbikes ' })).data).toMatchObject([{ title: 'Parking' }])
      expect((await search({ query: 'occupants ' })).meta.warnings).toEqual([])
      expect((await search({ query: 'xylophone ' })).data).toEqual([])
    })

    it('corrects unknown words, with a warning, when other words match', async () => {
      const { createSource, search } = createWorkspace()
      await createSource([...floors, { id: 'd', title: 'Badges', text: 'Badge XR7001 opens the meeting rooms' }])
      const found = async (query: string) => {
        const { data, meta } = await search({ query })
        return [
          data.map(({ title }: { title: string }) => title),
          meta.warnings.map(({ code }: { code: string }) => code),
        ]
      }
      expect(await found('machines for ocupants ')).toEqual([['Coffee machines', 'Meeting rooms'], ['respelled']])
      expect(await found('machines and ocupants')).toEqual([['Coffee machines', 'Meeting rooms'], ['respelled']])
      // Prefixes, words with digits, short words and words like no other are not corrected.
      for (const query of ['machines beneat', 'machines XR7002 ', 'machines par ', 'machines xylophone '])
        expect((await found(query))[1]).toEqual([])
      expect((await found('machines and bkies, oked by ocupants of partking '))[1]).toEqual([])
    })

    it('corrects no word that only hits of later pages have', async () => {
      const { createSource, search } = createWorkspace()
      await createSource([
        { id: 'a', title: 'Oak', text: 'Oak and oak' },
        { id: 'b', title: 'Stands', text: 'Beside many other things: a market' },
        { id: 'c', title: 'Pens', text: 'A marker' },
      ])
      const { data, meta } = await search({ query: 'oak market ', limit: 1 })
      expect([data.map(({ title }: { title: string }) => title), meta]).toMatchObject([
        ['Oak'],
        { total: 2, warnings: [] },
      ])
    })

    it('separates words at hyphens, slashes, full stops, underscores and at signs', async () => {
      const { createSource, searchTitles, search } = createWorkspace()
      await createSource([
        { id: 'a', title: 'Growth', text: 'IL-2 and beta-catenin rise.Then they fall again' },
        { id: 'b', title: 'Forms', text: 'See intranet.example.com/forms/travel, version 3.5, room_plan or ann@x.org' },
      ])
      expect(await searchTitles('il 2 ')).toEqual(['Growth'])
      expect(await searchTitles('catenin ')).toEqual(['Growth'])
      expect(await searchTitles('"beta catenin"')).toEqual(['Growth'])
      expect(await searchTitles('rise ')).toEqual(['Growth'])
      expect(await searchTitles('intranet ')).toEqual(['Forms'])
      expect(await searchTitles('travel ')).toEqual(['Forms'])
      expect(await searchTitles('3.5 ')).toEqual(['Forms'])
      expect(await searchTitles('plan ')).toEqual(['Forms'])
      expect(await searchTitles('ann ')).toEqual(['Forms'])
      expect((await search({ query: 'plan ann ', highlight: true })).data[0].snippet).toContain(
        'room_<mark>plan</mark> or <mark>ann</mark>@x.org',
      )
      const { data } = await search({ query: 'catenin rise 2 ', highlight: true })
      expect(data[0].snippet).toContain('IL-<mark>2</mark> and beta-<mark>catenin</mark> <mark>rise</mark>.Then')
      expect((await search({ query: 'travel intranet ' })).data[0].snippet).toContain(
        'intranet.example.com/forms/travel',
      )
    })

    it('ranks the exact word forms and word order of the query first', async () => {
      const { createSource, searchTitles } = createWorkspace()
      await createSource([
        { id: '1', title: 'The universe', text: 'room service' },
        { id: '2', title: 'The universities', text: 'service room' },
      ])
      expect(await searchTitles('universities ')).toEqual(['The universities', 'The universe'])
      expect(await searchTitles('universe ')).toEqual(['The universe', 'The universities'])
      expect(await searchTitles('room service ')).toEqual(['The universe', 'The universities'])
      expect(await searchTitles('service room ')).toEqual(['The universities', 'The universe'])
    })

    it('requires quoted words side by side within title or text', async () => {
      const { createSource, searchTitles } = createWorkspace()
      await createSource([
        ...floors,
        { id: 'd', title: 'The hall', text: 'A team is meeting in it. A hall for meetings' },
        { id: 'e', title: 'All about meeting', text: 'Hall, lobby' },
      ])
      expect(await searchTitles('"meeting hall"')).toEqual(['Parking'])
      expect(await searchTitles('"meeting rooms" machines')).toEqual(['Meeting rooms'])
      expect((await searchTitles('meeting hall')).length).toBe(4)
    })

    it('parses words in the language of the source, or of the query', async () => {
      const { createSource, searchTitles } = createWorkspace()
      const rows = [{ id: '1', title: 'Häuser', text: 'Die Sitzungen laufen' }]
      await createSource(rows, { language: 'german' })
      await createSource([{ id: '1', title: 'As it stands', text: 'the houses' }], { language: 'simple' })
      expect(await searchTitles('Sitzung ')).toEqual(['Häuser'])
      expect(await searchTitles('die xylophone ')).toEqual([])
      expect(await searchTitles('house ')).toEqual([])
      expect(await searchTitles('houses ')).toEqual(['As it stands'])
      expect(await searchTitles('the ')).toEqual(['As it stands'])
      expect(await searchTitles('sitzungen ', { language: 'simple' })).toEqual([])
    })

    it('searches all strings, but no numbers, timestamps or booleans, when the source names no text field', async () => {
      const { createSource, search } = createWorkspace()
      await createSource([
        { id: 'x', name: 'Badge', at: '2026-01-05T09:00:00Z', on: 'true', n: 3.5, m: '3.5', deep: [{ owner: 'Vera' }] },
      ])
      const found = async (query: string) => (await search({ query, filters: {} })).meta.total
      expect(await found('vera ')).toBe(1)
      expect(await found('badge ')).toBe(1)
      expect([await found('2026 '), await found('true '), await found('3.5 ')]).toEqual([0, 0, 0])
    })
  })

  describe('a hit', () => {
    it('shows a snippet, highlighted in escaped HTML when requested', async () => {
      const { createSource, search, request } = createSearchWorkspace(serviceOf())
      const id = await createSource([{ ...floors[0], title: 'Coffee <machines>', url: 'https://example.com/1' }], {
        text_field: 'text',
      })
      const plain = await search({ query: 'coffee café ' })
      expect(plain.data).toEqual([
        {
          record_id: expect.stringMatching(/^rec_/),
          data_source_id: id,
          key: 'a',
          title: 'Coffee <machines>',
          url: 'https://example.com/1',
          snippet: floors[0]?.text,
          score: expect.any(Number),
        },
      ])
      expect(plain).toMatchObject({
        meta: { mode_used: 'lexical', total: 1, warnings: [] },
        pagination: { has_more: false },
      })
      const marked = await search({ query: 'coffee café ', highlight: true })
      expect(marked.data[0]).toMatchObject({
        title: '<mark>Coffee</mark> &lt;machines&gt;',
        snippet: 'The <mark>café</mark> on the third floor has machines for <mark>coffee</mark> &amp; tea &lt;b&gt;',
      })
      expect((await request('GET', `/v1/data/records/${plain.data[0].record_id}`)).body.data.key).toBe('a')
    })

    it('is returned by GET as well', async () => {
      const { createSource, request } = createSearchWorkspace(serviceOf())
      const id = await createSource(floors)
      await createSource([{ id: '9', title: 'Meeting', text: 'elsewhere' }])
      const path = (more: string) => `/v1/data/search?q=meeting&limit=1${more}`
      const first = (await request('GET', path(`&data_source_id=${id}&highlight=true`))).body
      expect(first.data).toMatchObject([{ title: '<mark>Meeting</mark> rooms' }])
      const next = (await request('GET', path(`&data_source_id=${id}&cursor=${first.pagination.next_cursor}`))).body
      expect([next.data, next.pagination]).toMatchObject([
        [{ title: 'Parking' }],
        { next_cursor: null, has_more: false },
      ])
      expect((await request('GET', path('&min_score=1000'))).body).toMatchObject({ data: [], meta: { total: 0 } })
      expect((await request('GET', '/v1/data/search')).status).toBe(400)
    })

    it('appears on exactly one page when many hits have the same score', async () => {
      const { createSource, search } = createSearchWorkspace(serviceOf())
      await createSource(
        Array.from({ length: 130 }, (_, index) => ({
          id: `${index}`,
          title: `Desk ${index}`,
          text: 'oak '.repeat(index % 3),
        })),
      )
      await createSource(
        Array.from({ length: 20 }, (_, index) => ({ id: `${index}`, title: `Desk ${index}`, text: '' })),
      )
      const seen: { record_id: string; score: number }[] = []
      let cursor: string | null | undefined
      while (cursor !== null) {
        const { data, pagination, meta } = await search({ query: 'desk oak ', limit: 17, ...(cursor && { cursor }) })
        expect(meta.total).toBe(150)
        seen.push(...data)
        cursor = pagination.next_cursor
      }
      expect(new Set(seen.map(({ record_id }) => record_id)).size).toBe(150)
      expect(seen.map(({ score }) => score)).toEqual(seen.map(({ score }) => score).sort((a, b) => b - a))
    })

    it('is refused with invalid_cursor when the cursor is of no search, or of another one', async () => {
      const { createSource, search, request } = createSearchWorkspace(serviceOf())
      await createSource(floors)
      const { pagination } = await search({ query: 'meeting ', limit: 1 })
      for (const body of [
        { query: 'x', cursor: 'bm90IG9uZQ' },
        { query: 'rooms ', cursor: pagination.next_cursor },
        { query: 'meeting ', filters: { id: 'a' }, cursor: pagination.next_cursor },
        { query: 'meeting ', cursor: `${pagination.next_cursor}x` },
        { query: 'meeting ', cursor: `${pagination.next_cursor}.x` },
      ]) {
        const wrong = await request('POST', '/v1/data/search', body)
        expect([wrong.status, wrong.body]).toMatchObject([
          400,
          { code: 'invalid_cursor', errors: [{ pointer: '/cursor' }] },
        ])
      }
    })
  })

  describe('filters and facets', () => {
    const rows = Array.from({ length: 60 }, (_, index) => ({
      id: `${index}`,
      title: `Desk ${index}`,
      people: index % 2 === 0 ? index : `${index}`,
      at: `2026-01-${String((index % 28) + 1).padStart(2, '0')}T09:00:00Z`,
      floor: ['north', 'south', 'west'][index % 3],
      tags: index % 4 === 0 ? ['quiet', 'sunny'] : ['quiet'],
      free: index % 5 === 0,
    }))

    it('select by value, list, and range of numbers and timestamps', async () => {
      const { createSource, search } = createSearchWorkspace(serviceOf())
      await createSource(rows)
      const total = async (filters: Record<string, unknown>) => (await search({ query: 'desk ', filters })).meta.total
      expect(await total({ floor: 'north' })).toBe(20)
      expect(await total({ floor: { in: ['north', 'west'] }, free: true })).toBe(8)
      expect(await total({ people: { gte: 10, lt: 13 } })).toBe(3)
      expect(await total({ people: 11 })).toBe(1)
      expect(await total({ at: { gt: '2026-01-27', lte: '2026-01-28T09:00:00+00:00' } })).toBe(4)
      expect(await total({ at: { gte: '2026-01-27', lte: '2026-01-28' } })).toBe(4)
      expect(await total({ tags: 'sunny' })).toBe(15)
      expect(await total({ nothing: 'x' })).toBe(0)
      expect(await total({ floor: { not: ['north', 'south'] } })).toBe(20)
      expect(await total({ nothing: { exists: true } })).toBe(0)
    })

    it('page through the passing records', async () => {
      const { createSource, search } = createSearchWorkspace(serviceOf())
      await createSource(rows)
      const first = await search({ query: 'desk ', filters: { floor: 'south' }, limit: 12 })
      const second = await search({
        query: 'desk ',
        filters: { floor: 'south' },
        limit: 12,
        cursor: first.pagination.next_cursor,
      })
      const titles = [...first.data, ...second.data].map(({ title }) => title)
      expect([first.data.length, second.data.length, new Set(titles).size]).toEqual([12, 8, 20])
      expect(second.pagination).toEqual({ next_cursor: null, has_more: false })
    })

    it('count the most frequent values of all matches', async () => {
      const { createSource, search } = createSearchWorkspace(serviceOf())
      await createSource(rows)
      const { meta, data } = await search({
        query: 'desk ',
        filters: { free: true },
        facets: ['floor', 'tags', 'at'],
        limit: 2,
      })
      expect(data.length).toBe(2)
      expect(meta.total).toBe(12)
      expect(meta.facets).toMatchObject({
        floor: [
          { value: 'north', count: 4 },
          { value: 'south', count: 4 },
          { value: 'west', count: 4 },
        ],
        tags: [
          { value: 'quiet', count: 12 },
          { value: 'sunny', count: 3 },
        ],
      })
      expect(meta.facets.at).toHaveLength(10)
    })
  })

  describe('without the integrations service', () => {
    it('a semantic search fails and a hybrid search uses words alone', async () => {
      const { workspaceId, createSource, search, request } = createSearchWorkspace(serviceOf())
      await createSource(floors)
      await queryAsWorker(
        serviceOf().env,
        `INSERT INTO embedding_spaces (workspace_id, chosen_integration_id) VALUES ($1, 'int_01h455vb4pex5vsknk084sn02q')`,
        [workspaceId],
      )
      const semantic = await request('POST', '/v1/data/search', { query: 'meeting', mode: 'semantic' })
      expect([semantic.status, semantic.body]).toMatchObject([503, { code: 'embeddings_unavailable' }])
      const hybrid = await search({ query: 'meeting ', mode: 'hybrid' })
      expect(hybrid).toMatchObject({
        data: [{ title: 'Meeting rooms' }, { title: 'Parking' }],
        meta: { mode_used: 'lexical', warnings: [{ code: 'embeddings_unavailable' }] },
      })
    })
  })

  describe('a search in a workspace', () => {
    it('finds only records of its own sources, and of those that are named', async () => {
      const mine = createSearchWorkspace(serviceOf())
      const other = createSearchWorkspace(serviceOf())
      const [first, second] = [await mine.createSource(floors), await mine.createSource(floors)]
      const theirs = await other.createSource(floors)
      expect((await mine.search({ query: 'parking ' })).data).toHaveLength(2)
      expect((await mine.search({ query: 'parking ', data_source_ids: [second] })).data).toMatchObject([
        { data_source_id: second },
      ])
      for (const id of [theirs, newId('src')]) {
        const response = await mine.request('POST', '/v1/data/search', {
          query: 'parking',
          data_source_ids: [first, id],
        })
        expect([response.status, response.body]).toMatchObject([
          400,
          { code: 'unknown_reference', errors: [{ pointer: '/data_source_ids/1' }] },
        ])
      }
    })

    it('scores by the statistics of all sources, whichever are searched', async () => {
      const mine = createSearchWorkspace(serviceOf())
      const first = await mine.createSource(floors)
      const score = async (more: object) => (await mine.search({ query: 'parking bikes ', ...more })).data[0].score
      const alone = await score({})
      await mine.createSource([{ id: '1', title: 'Other', text: 'elsewhere' }])
      expect(await score({ data_source_ids: [first] })).toBe(await score({}))
      expect(await score({ data_source_ids: [first] })).toBeGreaterThan(alone)
    })
  })
}
