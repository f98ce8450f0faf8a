import { afterAll, describe, expect, it } from '@jest/globals'
import { id } from '@wp/contracts'
import { afterCursor, type Cursor, decodeCursor, encodeCursor, newId, paginate } from '../src/index.ts'
import { caller, createFixtureDatabase } from './fixture/database.ts'

const fixture = await createFixtureDatabase()
afterAll(() => fixture.drop())

describe('newId', () => {
  it('returns identifiers that contracts accept and that sort by age', () => {
    const first = newId('src')
    const ids = Array.from({ length: 1000 }, () => newId('src'))
    expect(ids.every((one) => id('src').safeParse(one).success)).toBe(true)
    expect(new Set(ids).size).toBe(1000)
    expect(first.slice(0, 14) <= (ids.at(-1) ?? '').slice(0, 14)).toBe(true)
  })
})

describe('a cursor', () => {
  it('is decoded to the value that was encoded', () => {
    const cursor: Cursor = { createdAt: new Date('2026-01-05T09:30:00.123Z'), id: 'src_1' }
    expect(encodeCursor(cursor)).toMatch(/^[\w-]+$/)
    expect(decodeCursor(encodeCursor(cursor))).toEqual(cursor)
  })

  it.each([
    '',
    'nonsense',
    ...[
      '[]',
      '[1]',
      '["a","b"]',
      '[1,2]',
      '[1,"a",3]',
      '{"0":1,"1":"a"}',
      '[9e15,"a"]',
      '[8.64e15,"a"]',
      '[-1,"a"]',
      '[-62167219200001,"a"]',
      '[null,"a"]',
      '[1,"a\\u0000"]',
    ].map((text) => Buffer.from(text).toString('base64url')),
  ])('is rejected when it was not issued by the API: %s', (text) => {
    expect(() => decodeCursor(text)).toThrow(expect.objectContaining({ code: 'invalid_cursor', status: 400 }))
  })
})

describe('a paginated list', () => {
  it('returns every row once, newest first, when rows share a millisecond', async () => {
    const workspaceId = newId('ws')
    const rows = Array.from({ length: 25 }, (_, index) => ({
      id: newId('src'),
      workspaceId,
      name: 'Harbour',
      createdAt: new Date(Date.UTC(2026, 0, 5) + Math.floor(index / 8)),
    }))
    await fixture.database.transact(caller({ workspaceId }), ({ db }) => db.project.createMany({ data: rows }))
    const list = (cursor?: string) =>
      fixture.database.read({ workspaceId }, async (db) => {
        const found = await db.project.findMany({
          where: { workspaceId, ...afterCursor(cursor) },
          orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
          take: 5,
        })
        return paginate(found, 4, (row) => row)
      })
    const seen: string[] = []
    let cursor: string | undefined
    let pages = 0
    do {
      const { items, nextCursor } = await list(cursor)
      seen.push(...items.map((item) => item.id))
      cursor = nextCursor ?? undefined
      pages++
    } while (cursor !== undefined)
    expect(pages).toBe(7)
    expect(seen).toHaveLength(25)
    expect(seen).toEqual(
      rows.toSorted((a, b) => Number(b.createdAt) - Number(a.createdAt) || (a.id < b.id ? 1 : -1)).map((row) => row.id),
    )
  })

  it('uses the identifier field of the model when one is given', () => {
    const cursor = encodeCursor({ createdAt: new Date(0), id: 'wh_1' })
    expect(afterCursor(cursor, 'webhookId')).toEqual({
      createdAt: { lte: new Date(0) },
      OR: [{ createdAt: { lt: new Date(0) } }, { webhookId: { lt: 'wh_1' } }],
    })
    expect(afterCursor(undefined, 'webhookId')).toEqual({})
  })
})
