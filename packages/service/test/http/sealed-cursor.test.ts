import { afterAll, describe, expect, it } from '@jest/globals'
import { startBoxes } from '../fixture.ts'

const boxes = await startBoxes()
afterAll(() => boxes.stop())

const list = (query = '', caller = {}) => boxes.request('GET', `/v1/data/boxes?${query}`, { caller })
const cursorOf = async (query = '', caller = {}) => (await list(query, caller)).body.pagination.next_cursor
const user = (id: string) => ({ principal: { id, type: 'user' as const } })
const invalid = { status: 400, body: { code: 'invalid_cursor', errors: [{ pointer: '?cursor' }] } }

describe('a cursor', () => {
  it('continues its list when the page size differs and parameters are sent in another order', async () => {
    const cursor = await cursorOf('name=red&limit=3')
    const next = await list(`limit=7&cursor=${cursor}&name=red`)
    expect(next).toMatchObject({ status: 200, body: { pagination: { next_cursor: cursor } } })
  })

  it('is rejected when a filter is added, changed or left out', async () => {
    const cursors = [await cursorOf(), await cursorOf('name=red'), await cursorOf('name=red')]
    const others = [`name=red&cursor=${cursors[0]}`, `name=blue&cursor=${cursors[1]}`, `cursor=${cursors[2]}`]
    for (const query of others) expect(await list(query)).toMatchObject(invalid)
  })

  it('is rejected in another workspace, and when another user sends it', async () => {
    const cursor = await cursorOf('', user('usr_one'))
    expect(await list(`cursor=${cursor}`, user('usr_one'))).toMatchObject({ status: 200 })
    for (const caller of [user('usr_two'), { ...user('usr_one'), workspaceId: 'ws_01h455vb4pex5vsknk084sn02r' }])
      expect(await list(`cursor=${cursor}`, caller)).toMatchObject(invalid)
  })

  it('continues when another key or service principal of the workspace sends it', async () => {
    const cursor = await cursorOf('', { principal: { id: 'sp_one', type: 'service_principal' } })
    const other = { principal: { id: 'akey_two', type: 'api_key' } }
    expect(await list(`cursor=${cursor}`, other)).toMatchObject({ status: 200 })
  })

  it('is rejected when any of its characters was changed', async () => {
    const cursor: string = await cursorOf()
    const changed = [...cursor].map((character, at) => {
      const other = character === 'x' ? 'y' : 'x'
      return cursor.slice(0, at) + other + cursor.slice(at + 1)
    })
    for (const text of [...changed, '', 'abc', cursor.slice(1), `${cursor}0`])
      expect(await list(`cursor=${text}`)).toMatchObject(invalid)
  })
})
