import { afterAll, describe, expect, it } from '@jest/globals'
import { problemResponse } from '@wp/testkit/problem-response'
import { inNewWorkspace, startSystem } from './fixture/system.ts'

const system = await startSystem()
afterAll(() => system.stop())

const namesOf = (items: { name: string }[]) => items.map(({ name }) => name)

describe('the list of variables', () => {
  it('is newest first, filtered by name and secrecy', async () => {
    const workspace = inNewWorkspace()
    await system.put({ name: 'OPEN_ONE', value: '1' }, workspace)
    await system.put({ name: 'HIDDEN_ONE', value: '2', secret: true }, workspace)
    await system.put({ name: 'OPEN_TWO', value: '3' }, workspace)
    const list = async (query: string) => namesOf((await system.list(query, workspace)).body.data)
    expect(await list('')).toEqual(['OPEN_TWO', 'HIDDEN_ONE', 'OPEN_ONE'])
    expect(await list('secret=true')).toEqual(['HIDDEN_ONE'])
    expect(await list('secret=false')).toEqual(['OPEN_TWO', 'OPEN_ONE'])
    expect(await list('name=OPEN_ONE')).toEqual(['OPEN_ONE'])
    expect(await list('name=OPEN_ONE&secret=true')).toEqual([])
  })

  it.each(['secret=perhaps', 'name=lower', 'limit=0', 'limit=101', 'colour=red', 'limit=1&limit=2'])(
    'rejects ?%s',
    async (query) => {
      const [name] = query.split('=')
      expect(await system.list(query)).toMatchObject(problemResponse(400, 'validation_failed', `?${name}`))
    },
  )

  it('rejects an invalid cursor', async () => {
    expect(await system.list('cursor=abc')).toMatchObject(problemResponse(400, 'invalid_cursor', '?cursor'))
  })

  it('has each variable once when others are created and replaced between pages', async () => {
    const workspace = inNewWorkspace()
    const before = Array.from({ length: 7 }, (_, n) => `KEPT_${n}`)
    await Promise.all(before.map((name) => system.put({ name, value: 'x' }, workspace)))
    const seen: string[] = []
    let cursor: string | null = ''
    for (let n = 0; cursor !== null; n += 1) {
      const { body } = await system.list(cursor === '' ? 'limit=2' : `limit=2&cursor=${cursor}`, workspace)
      expect(body.data.length).toBe(n < 3 ? 2 : 1)
      expect(body.pagination.has_more).toBe(n < 3)
      seen.push(...namesOf(body.data))
      await system.put({ name: `LATE_${n}`, value: 'x' }, workspace)
      await system.put({ name: seen[0] ?? '', value: 'changed' }, workspace)
      cursor = body.pagination.next_cursor
    }
    expect(seen.toSorted()).toEqual(before)
  })
})
