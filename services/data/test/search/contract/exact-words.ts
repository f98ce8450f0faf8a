import { describe, expect, it } from '@jest/globals'
import { createSearchWorkspace } from '../../support/search-workspace.ts'
import type { DataService } from '../../support/service.ts'

const rowsOf = (titles: readonly string[]) => titles.map((title, nth) => ({ key: `k${nth}`, title }))
const config = { key: 'key', title_field: 'title', text_field: 'text' }

/** Declares the tests of phrases, stop words and scripts without spaces, which every engine passes. */
export function describeExactWords(serviceOf: () => DataService): void {
  async function createTitles(titles: readonly string[]) {
    const workspace = createSearchWorkspace(serviceOf())
    await workspace.createSource(rowsOf(titles), config)
    return async (query: string) => (await workspace.searchTitles(query)).toSorted()
  }

  describe('a phrase', () => {
    it('matches its exact words side by side, stop words included', async () => {
      const find = await createTitles([
        'Room A',
        'Room B',
        'Room S',
        'Rooms A',
        'The Who',
        'Who is the one',
        'Élan-vital',
        'Hall — 🎉 “D”',
      ])
      expect(await find('"Room A"')).toEqual(['Room A'])
      expect(await find('"room s"')).toEqual(['Room S'])
      expect(await find('"rooms a"')).toEqual(['Rooms A'])
      expect(await find('"the who"')).toEqual(['The Who'])
      expect(await find('"the who" vital')).toEqual(['The Who'])
      expect(await find('"elan vital"')).toEqual(['Élan-vital'])
      expect(await find('"room c"')).toEqual([])
      expect(await find('"hall d"')).toEqual(['Hall — 🎉 “D”'])
      expect(await find('"Room A" "Room B"')).toEqual([])
      for (const signs of ['"---"', 'room "---"', '"©"', '"→"']) expect([signs, await find(signs)]).toEqual([signs, []])
    })
  })

  describe('a query of stop words, letters or symbols', () => {
    it('finds what holds it', async () => {
      const titles = ['Room A', 'Room S', 'IT', 'AT&T', 'C++ course', 'C# course', 'R&D', '.NET', 'Look at that']
      const find = await createTitles(titles)
      for (const [query, found] of [
        ['A', ['Room A']],
        ['s', ['Room S']],
        ['IT', ['IT']],
        ['"it"', ['IT']],
        ['AT&T', ['AT&T']],
        ['R&D', ['R&D']],
        ['.NET', ['.NET']],
        ['that at', ['AT&T', 'Look at that']],
      ] as const)
        expect([query, await find(query)]).toEqual([query, found])
      const { search, createSource } = createSearchWorkspace(serviceOf())
      await createSource(rowsOf(titles), config)
      for (const query of ['C++', 'C#']) expect((await search({ query })).data[0].title).toBe(`${query} course`)
      expect([await find('"C++"'), await find('"C# course"')]).toEqual([['C++ course'], ['C# course']])
    })

    it('finds pictures, and numbers as they are written', async () => {
      const find = await createTitles(['🎉 party', 'A/B test', 'Floor B', 'Room 105', 'Room 1.05', '3 🎉'])
      for (const query of ['🎉', '"🎉"', '"🎉 →"']) expect(await find(query)).toEqual(['3 🎉', '🎉 party'])
      expect(await find('"A/B"')).toEqual(['A/B test'])
      expect([await find('1.05'), await find('2.10'), await find('🚀')]).toEqual([['Room 1.05'], [], []])
    })

    it('does not find by stop words beside other words', async () => {
      const find = await createTitles(['The desk', 'The lamp', 'AT home'])
      expect(await find('the desk ')).toEqual(['The desk'])
      expect(await find('AT&T')).toEqual(['AT home'])
    })
  })

  describe('a part number', () => {
    it('is found whole and by its parts', async () => {
      const find = await createTitles(['AB-1234/5 pump', 'AB-1234/6 pump', 'valve'])
      expect(await find('"AB-1234/5"')).toEqual(['AB-1234/5 pump'])
      expect(await find('1234 ')).toEqual(['AB-1234/5 pump', 'AB-1234/6 pump'])
    })
  })

  describe('a text without spaces', () => {
    const texts = [
      '日東電工株式会社の経営者',
      '会社案内',
      'กรรมการผู้จัดการ',
      '北京会议室预订系统',
      'ຜູ້ຈັດການໃຫຍ່',
      'អ្នកគ្រប់គ្រងអគារ',
      'အထွေထွေမန်နေဂျာ',
      'ｶﾌﾞｼｷｶﾞｲｼｬ 2号室',
      'ＡＢＣ社 Nitto 東京タワー',
      '서울회의실 예약',
      'مَكْتَب المدير',
    ]

    it.each([
      ['株式会社', [texts[0]]],
      ['経営者', [texts[0]]],
      ['会社', [texts[0], texts[1]]],
      ['社', [texts[0], texts[1], texts[8]]],
      ['日東電工の経営者', [texts[0]]],
      ['ผู้จัดการ', [texts[2]]],
      ['กรรมการ', [texts[2]]],
      ['会议室', [texts[3]]],
      ['预订', [texts[3]]],
      ['ຈັດການ', [texts[4]]],
      ['គ្រប់គ្រង', [texts[5]]],
      ['မန်နေဂျာ', [texts[6]]],
      ['カブシキ', [texts[7]]],
      ['ｶﾞｲｼｬ', [texts[7]]],
      ['ABC', [texts[8]]],
      ['ａｂｃ', [texts[8]]],
      ['タワー', [texts[8]]],
      ['"株式会社の"', [texts[0]]],
      ['"会社の株式"', []],
      ['nitto 案内', [texts[1], texts[8]]],
      ['経営学', []],
      ['회의실', [texts[9]]],
      ['예약', [texts[9]]],
      ['مكتب', [texts[10]]],
      ['مَكْتَب', [texts[10]]],
      ['"مكتب المدير"', [texts[10]]],
    ])('is found by %s when it has this word', async (query, found) => {
      const find = await createTitles(texts)
      expect(await find(query)).toEqual(found.toSorted())
    })

    it('is shown as it is, with marks around the words', async () => {
      const { search, createSource } = createSearchWorkspace(serviceOf())
      const text = `${'前置きの文章です。'.repeat(60)}ここに<b>株式会社</b>の経営者がいる。${'後'.repeat(300)}`
      await createSource(
        [
          { key: '1', title: texts[0], text },
          { key: '2', title: texts[7], text: 'カブシキ' },
        ],
        config,
      )
      const { data } = await search({ query: '株式会社', highlight: true })
      expect(data).toHaveLength(1)
      expect(data[0].title).toBe('日東電工<mark>株式会社</mark>の経営者')
      expect(data[0].snippet).toContain('ここに&lt;b&gt;<mark>株式会社</mark>&lt;/b&gt;の')
      expect(data[0].snippet.length).toBeLessThan(300)
      const plain = await search({ query: '経営者' })
      expect([plain.data[0].title, plain.data[0].snippet]).toEqual([
        texts[0],
        expect.stringContaining('<b>株式会社</b>の経営者がいる'),
      ])
      const half = await search({ query: 'カブシキ', highlight: true })
      expect(half.data[0]).toMatchObject({
        title: '<mark>ｶﾌﾞｼｷ</mark>ｶﾞｲｼｬ 2号室',
        snippet: '<mark>カブシキ</mark>',
      })
    })
  })
}
