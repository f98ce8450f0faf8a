import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { newId } from '@wp/database'
import { createSearchWorkspace } from '../support/search-workspace.ts'
import { type DataService, startDataService } from '../support/service.ts'

let service: DataService
beforeAll(async () => {
  service = await startDataService()
})
afterAll(() => service.stop())

const floors = [
  { id: 'a', title: 'Coffee machines', text: 'The café on the third floor has machines for coffee & tea <b>' },
  { id: 'b', title: 'Meeting rooms', text: 'Rooms are booked by their occupants, who were running late.' },
  { id: 'c', title: 'Parking', text: 'Bikes park beneath the meeting hall.' },
]

describe('words', () => {
  const space = () => createSearchWorkspace(service)

  it('are found in any form, whatever their accents and case, any of them', async () => {
    const { createSource: source, searchTitles: titles } = space()
    await source(floors)
    expect(await titles('CAFE')).toEqual(['Coffee machines'])
    expect(await titles('run')).toEqual(['Meeting rooms'])
    expect(await titles('bikes for occupants ')).toEqual(expect.arrayContaining(['Parking', 'Meeting rooms']))
    expect(await titles('meeting ')).toEqual(['Meeting rooms', 'Parking'])
    expect(await titles('the of ')).toEqual([])
  })

  it('may be beginnings at the end of a query, and only there', async () => {
    const { createSource: source, searchTitles: titles } = space()
    await source(floors)
    expect(await titles('occ')).toEqual(['Meeting rooms'])
    expect(await titles('occ ')).toEqual([])
    expect(await titles('occ third ')).toEqual(['Coffee machines'])
  })

  it('are taken to be mistyped where nothing matches, which is said', async () => {
    const { createSource: source, search } = space()
    await source(floors)
    const { data, meta } = await search({ query: 'ocupants ' })
    expect(data.map(({ title }: { title: string }) => title)).toEqual(['Meeting rooms'])
    expect(meta.warnings).toMatchObject([{ code: 'respelled', message: expect.stringContaining('occup') }])
    expect((await search({ query: 'zbikes ' })).data).toMatchObject([{ title: 'Parking' }])
    expect((await search({ query: 'occupants ' })).meta.warnings).toEqual([])
    expect((await search({ query: 'xylophone ' })).data).toEqual([])
  })

  it('are corrected beside words that are known, which is said', async () => {
    const { createSource: source, search } = space()
    await source([...floors, { id: 'd', title: 'Badges', text: 'Badge XR7001 opens the meeting rooms' }])
    const found = async (query: string) => {
      const { data, meta } = await search({ query })
      return [
        data.map(({ title }: { title: string }) => title),
        meta.warnings.map(({ code }: { code: string }) => code),
      ]
    }
    expect(await found('machines for ocupants ')).toEqual([['Coffee machines', 'Meeting rooms'], ['respelled']])
    expect(await found('machines and ocupants')).toEqual([['Coffee machines', 'Meeting rooms'], ['respelled']])
    // What is being typed, names with digits, short words and what is like nothing stay as they are.
    for (const query of ['machines beneat', 'machines XR7002 ', 'machines par ', 'machines xylophone '])
      expect((await found(query))[1]).toEqual([])
    expect((await found('machines and bkies, oked by ocupants of partking '))[1]).toEqual([])
  })

  it('are parted by hyphens, slashes and full stops', async () => {
    const { createSource: source, searchTitles: titles, search } = space()
    await source([
      { id: 'a', title: 'Growth', text: 'IL-2 and beta-catenin rise.Then they fall again' },
      { id: 'b', title: 'Forms', text: 'See intranet.example.com/forms/travel, version 3.5' },
    ])
    expect(await titles('il 2 ')).toEqual(['Growth'])
    expect(await titles('catenin ')).toEqual(['Growth'])
    expect(await titles('"beta catenin"')).toEqual(['Growth'])
    expect(await titles('rise ')).toEqual(['Growth'])
    expect(await titles('intranet ')).toEqual(['Forms'])
    expect(await titles('travel ')).toEqual(['Forms'])
    expect(await titles('3.5 ')).toEqual(['Forms'])
    const { data } = await search({ query: 'catenin rise 2 ', highlight: true })
    expect(data[0].snippet).toContain('IL-<mark>2</mark> and beta-<mark>catenin</mark> <mark>rise</mark>.Then')
    expect((await search({ query: 'travel intranet ' })).data[0].snippet).toContain('intranet.example.com/forms/travel')
  })

  it('come first in the very form and order that is asked for', async () => {
    const { createSource: source, searchTitles: titles } = space()
    await source([
      { id: '1', title: 'The universe', text: 'room service' },
      { id: '2', title: 'The universities', text: 'service room' },
    ])
    expect(await titles('universities ')).toEqual(['The universities', 'The universe'])
    expect(await titles('universe ')).toEqual(['The universe', 'The universities'])
    expect(await titles('room service ')).toEqual(['The universe', 'The universities'])
    expect(await titles('service room ')).toEqual(['The universities', 'The universe'])
  })

  it('stand side by side in quotes, within title or text', async () => {
    const { createSource: source, searchTitles: titles } = space()
    await source([
      ...floors,
      { id: 'd', title: 'The hall', text: 'Nobody is meeting in it. A hall for meetings' },
      { id: 'e', title: 'All about meeting', text: 'Hall, lobby' },
    ])
    expect(await titles('"meeting hall"')).toEqual(['Parking'])
    expect(await titles('"meeting rooms" machines')).toEqual(['Meeting rooms'])
    expect((await titles('meeting hall')).length).toBe(4)
  })

  it('are those of the language of the source, or of the one that is asked in', async () => {
    const { createSource: source, searchTitles: titles } = space()
    const rows = [{ id: '1', title: 'Häuser', text: 'Die Sitzungen laufen' }]
    await source(rows, { language: 'german' })
    await source([{ id: '1', title: 'As it stands', text: 'the houses' }], { language: 'simple' })
    expect(await titles('Sitzung ')).toEqual(['Häuser'])
    expect(await titles('die ')).toEqual([])
    expect(await titles('house ')).toEqual([])
    expect(await titles('houses ')).toEqual(['As it stands'])
    expect(await titles('the ')).toEqual(['As it stands'])
    expect(await titles('die ', { language: 'simple' })).toEqual([])
  })

  it('are those of all texts where the source names no field; numbers, times and truth values say nothing', async () => {
    const { createSource: source, search } = space()
    await source([
      { id: 'x', name: 'Badge', at: '2026-01-05T09:00:00Z', on: 'true', n: 3.5, m: '3.5', deep: [{ owner: 'Vera' }] },
    ])
    const found = async (query: string) => (await search({ query, filters: {} })).meta.total
    expect(await found('vera ')).toBe(1)
    expect(await found('badge ')).toBe(1)
    expect([await found('2026 '), await found('true '), await found('3.5 ')]).toEqual([0, 0, 0])
  })
})

describe('hits', () => {
  it('show what was found, marked in escaped HTML where that is asked for', async () => {
    const { createSource: source, search, request } = createSearchWorkspace(service)
    const id = await source([{ ...floors[0], title: 'Coffee <machines>', url: 'https://example.com/1' }], {
      text_field: 'text',
    })
    const plain = await search({ query: 'coffee café ' })
    expect(plain.data).toEqual([
      {
        record_id: expect.stringMatching(/^rec_/),
        data_source_id: id,
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

  it('are asked for by address too', async () => {
    const { createSource: source, request } = createSearchWorkspace(service)
    const id = await source(floors)
    await source([{ id: '9', title: 'Meeting', text: 'elsewhere' }])
    const path = (more: string) => `/v1/data/search?q=meeting&limit=1${more}`
    const first = (await request('GET', path(`&data_source_id=${id}&highlight=true`))).body
    expect(first.data).toMatchObject([{ title: '<mark>Meeting</mark> rooms' }])
    const next = (await request('GET', path(`&data_source_id=${id}&cursor=${first.pagination.next_cursor}`))).body
    expect([next.data, next.pagination]).toMatchObject([[{ title: 'Parking' }], { next_cursor: null, has_more: false }])
    expect((await request('GET', path('&min_score=1000'))).body).toMatchObject({ data: [], meta: { total: 0 } })
    expect((await request('GET', '/v1/data/search')).status).toBe(400)
  })

  it('come page by page, each once, in one order, however many score the same', async () => {
    const { createSource: source, search } = createSearchWorkspace(service)
    await source(
      Array.from({ length: 130 }, (_, index) => ({
        id: `${index}`,
        title: `Desk ${index}`,
        text: 'oak '.repeat(index % 3),
      })),
    )
    await source(Array.from({ length: 20 }, (_, index) => ({ id: `${index}`, title: `Desk ${index}`, text: '' })))
    const seen: { record_id: string; score: number }[] = []
    let cursor: string | null | undefined
    while (cursor !== null) {
      const { data, pagination, meta } = await search({ query: 'desk oak ', limit: 17, ...(cursor && { cursor }) })
      expect(meta.total).toBe(150)
      seen.push(...data)
      cursor = pagination.next_cursor
    }
    expect(new Set(seen.map(({ record_id }) => record_id)).size).toBe(150)
    expect(seen.map(({ score }) => score)).toEqual(seen.map(({ score }) => score).sort((one, other) => other - one))
  })

  it('end where a cursor has led deep enough', async () => {
    const { createSource: source, search, request } = createSearchWorkspace(service)
    await source(floors)
    const { pagination } = await search({ query: 'meeting ', limit: 1 })
    const [mode, score, sourceId, document] = JSON.parse(Buffer.from(pagination.next_cursor, 'base64url').toString())
    const deep = Buffer.from(JSON.stringify([mode, score + 1, sourceId, document, 9_999])).toString('base64url')
    expect(await search({ query: 'meeting ', limit: 1, cursor: deep })).toMatchObject({
      data: [{ title: 'Meeting rooms' }],
      pagination: { next_cursor: null, has_more: false },
      meta: { warnings: [{ code: 'depth_reached' }] },
    })
    const wrong = await request('POST', '/v1/data/search', { query: 'x', cursor: 'bm90IG9uZQ' })
    expect([wrong.status, wrong.body]).toMatchObject([
      400,
      { code: 'invalid_cursor', errors: [{ pointer: '/cursor' }] },
    ])
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

  it('hold for values, lists, and ranges of numbers and times', async () => {
    const { createSource: source, search } = createSearchWorkspace(service)
    await source(rows)
    const total = async (filters: Record<string, unknown>) => (await search({ query: 'desk ', filters })).meta.total
    expect(await total({ floor: 'north' })).toBe(20)
    expect(await total({ floor: { in: ['north', 'west'] }, free: true })).toBe(8)
    expect(await total({ people: { gte: 10, lt: 13 } })).toBe(3)
    expect(await total({ people: 11 })).toBe(1)
    expect(await total({ at: { gt: '2026-01-27', lte: '2026-01-28T09:00:00+00:00' } })).toBe(4)
    expect(await total({ tags: 'sunny' })).toBe(15)
    expect(await total({ nothing: 'x' })).toBe(0)
    expect(await total({ floor: { not: ['north', 'south'] } })).toBe(20)
    expect(await total({ nothing: { exists: true } })).toBe(0)
  })

  it('page through what passes', async () => {
    const { createSource: source, search } = createSearchWorkspace(service)
    await source(rows)
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

  it('count the most frequent values among all that matches', async () => {
    const { createSource: source, search } = createSearchWorkspace(service)
    await source(rows)
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

describe('where integrations cannot be asked', () => {
  it('is refused what needs embeddings, and words are searched', async () => {
    const { createSource: source, search, request } = createSearchWorkspace(service)
    await source(floors)
    const semantic = await request('POST', '/v1/data/search', { query: 'meeting', mode: 'semantic' })
    expect([semantic.status, semantic.body]).toMatchObject([503, { code: 'embeddings_unavailable' }])
    const hybrid = await search({ query: 'meeting ', mode: 'hybrid' })
    expect(hybrid).toMatchObject({
      data: [{ title: 'Meeting rooms' }, { title: 'Parking' }],
      meta: { mode_used: 'lexical', warnings: [{ code: 'embeddings_unavailable' }] },
    })
  })
})

describe('a workspace', () => {
  it('finds its own records, in the sources that are named', async () => {
    const mine = createSearchWorkspace(service)
    const other = createSearchWorkspace(service)
    const [one, two] = [await mine.createSource(floors), await mine.createSource(floors)]
    const theirs = await other.createSource(floors)
    expect((await mine.search({ query: 'parking ' })).data).toHaveLength(2)
    expect((await mine.search({ query: 'parking ', data_source_ids: [two] })).data).toMatchObject([
      { data_source_id: two },
    ])
    for (const id of [theirs, newId('src')]) {
      const answer = await mine.request('POST', '/v1/data/search', { query: 'parking', data_source_ids: [one, id] })
      expect([answer.status, answer.body]).toMatchObject([
        400,
        { code: 'unknown_reference', errors: [{ pointer: '/data_source_ids/1' }] },
      ])
    }
  })

  it('scores by what all its sources hold, whichever are searched', async () => {
    const mine = createSearchWorkspace(service)
    const one = await mine.createSource(floors)
    await mine.createSource([{ id: '1', title: 'Other', text: 'parking' }])
    const score = async (more: object) => (await mine.search({ query: 'parking bikes ', ...more })).data[0].score
    expect(await score({ data_source_ids: [one] })).toBe(await score({}))
  })
})
