import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { connectDatabase, type Database } from '@wp/database'
import { startTestService, type TestService } from '@wp/testkit'
import { PrismaClient } from '#db'
import { definition } from '../src/index.ts'

const path = '/v1/system/workspace/variables'
const other = 'ws_01h455vb4pex5vsknk084sn03r'

let system: TestService
let database: Database<PrismaClient>
beforeAll(async () => {
  system = await startTestService(definition)
  database = connectDatabase({
    url: system.env.DATABASE_URL ?? '',
    workerUrl: system.env.DATABASE_WORKER_URL ?? '',
    prisma: (adapter) => new PrismaClient({ adapter }),
    shard: 'test',
  })
})
afterAll(async () => {
  await database.close()
  await system.stop()
})

/** A workspace nobody else writes to. */
let workspaces = 0
function emptyWorkspace(): { workspaceId: string } {
  workspaces += 1
  return { workspaceId: `ws_01h455vb4pex5vsknk084s${String(workspaces).padStart(4, '0')}` }
}

const put = (body: Record<string, unknown>, caller = {}) => system.request('POST', path, { body, caller })
const get = (name: string, caller = {}) => system.request('GET', `${path}/${name}`, { caller })
const namesOf = (items: { name: string }[]) => items.map(({ name }) => name)
const refused = (status: number, code: string, ...pointers: string[]) => ({
  status,
  body: expect.objectContaining({
    code,
    ...(pointers.length === 0 ? {} : { errors: pointers.map((pointer) => expect.objectContaining({ pointer })) }),
  }),
})

describe('setting a variable', () => {
  it('is 201 with its address, then 200', async () => {
    const first = await put({ name: 'REGION', value: 'north' })
    expect(first).toMatchObject({
      status: 201,
      body: { success: true, data: { name: 'REGION', value: 'north', secret: false } },
    })
    expect(first.headers.get('location')).toBe(`http://localhost:4000${path}/REGION`)
    const second = await put({ name: 'REGION', value: 'south' })
    expect(second).toMatchObject({ status: 200, body: { data: { name: 'REGION', value: 'south' } } })
    expect(second.headers.get('location')).toBeNull()
    expect(second.body.data.created_at).toBe(first.body.data.created_at)
    const read = await get('REGION')
    expect(read).toMatchObject({ status: 200, body: { data: second.body.data } })
  })

  it('creates once, however many set it at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => put({ name: 'RACED', value: String(n) })))
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([...Array<number>(9).fill(200), 201])
  })

  it('writes what the audit log keeps, without the value', async () => {
    const workspace = emptyWorkspace()
    await put({ name: 'AUDITED', value: 'do-not-tell', secret: true }, workspace)
    await system.request('DELETE', `${path}/AUDITED`, { caller: workspace })
    const { rows } = await database.worker.query(
      `SELECT kind, data FROM platform.outbox WHERE workspace_id = $1 ORDER BY position`,
      [workspace.workspaceId],
    )
    const targets = [{ type: 'workspace_variable', id: 'AUDITED' }]
    expect(rows).toMatchObject([
      { kind: 'AUDIT_RECORDED', data: { action: 'workspace_variable.set', targets, outcome: 'success' } },
      { kind: 'AUDIT_RECORDED', data: { action: 'workspace_variable.deleted', targets } },
    ])
    expect(JSON.stringify(rows)).not.toContain('do-not-tell')
  })
})

describe('a secret variable', () => {
  it('reads back null everywhere, and lies sealed', async () => {
    const workspace = emptyWorkspace()
    const made = await put({ name: 'TOKEN', value: 'correct horse battery', secret: true }, workspace)
    expect(made).toMatchObject({ status: 201, body: { data: { name: 'TOKEN', value: null, secret: true } } })
    expect(await get('TOKEN', workspace)).toMatchObject({ body: { data: { value: null } } })
    const list = await system.request('GET', path, { caller: workspace })
    expect(list.body.data).toMatchObject([{ name: 'TOKEN', value: null }])
    const { rows } = await database.worker.query(
      'SELECT v.sealed, v.value, v::text AS whole FROM workspace_variables v WHERE workspace_id = $1',
      [workspace.workspaceId],
    )
    expect(rows).toMatchObject([{ value: null, sealed: expect.stringMatching(/^v1\.[0-9a-f]{8}\./) }])
    expect(rows[0].whole).not.toContain('correct horse battery')
  })

  it('seals the same text differently each time', async () => {
    const workspace = emptyWorkspace()
    for (const name of ['ONE', 'TWO']) await put({ name, value: 'same', secret: true }, workspace)
    const { rows } = await database.worker.query('SELECT sealed FROM workspace_variables WHERE workspace_id = $1', [
      workspace.workspaceId,
    ])
    expect(new Set(rows.map(({ sealed }) => sealed)).size).toBe(2)
  })

  it('can become open, and open ones secret, leaving nothing of the other kind', async () => {
    const workspace = emptyWorkspace()
    await put({ name: 'TURNS', value: 'open words', secret: false }, workspace)
    await put({ name: 'TURNS', value: 'hidden words', secret: true }, workspace)
    const rowsNow = async () =>
      (await database.worker.query('SELECT value, sealed FROM workspace_variables WHERE workspace_id = $1', [
        workspace.workspaceId,
      ])).rows
    expect(await rowsNow()).toEqual([{ value: null, sealed: expect.any(String) }])
    expect(await put({ name: 'TURNS', value: 'open again' }, workspace)).toMatchObject({
      body: { data: { value: 'open again', secret: false } },
    })
    expect(await rowsNow()).toEqual([{ value: 'open again', sealed: null }])
  })
})

describe('what is refused', () => {
  it.each(['', 'lower', '1ST', '_X', 'A-B', 'A B', 'Ä', 'A'.repeat(65), 'X\n'])('the name %j', async (name) => {
    expect(await put({ name, value: 'x' })).toMatchObject(refused(400, 'validation_failed', '/name'))
  })

  it.each(['A', 'A1_B', 'A'.repeat(64)])('but not the name %s', async (name) => {
    expect((await put({ name, value: 'x' })).status).toBeLessThan(300)
  })

  it('a value over 32 KiB, counted in bytes of UTF-8', async () => {
    const euro = '€' // three bytes
    const most = euro.repeat(10_922) + 'xx'
    expect(Buffer.byteLength(most)).toBe(32_768)
    expect(await put({ name: 'LARGE', value: most })).toMatchObject({ status: 201, body: { data: { value: most } } })
    expect(await put({ name: 'LARGE', value: `${most}x` })).toMatchObject(refused(400, 'validation_failed', '/value'))
    expect(await put({ name: 'LARGE', value: 'x'.repeat(32_769) })).toMatchObject(refused(400, 'validation_failed'))
    expect((await put({ name: 'LARGE', value: '' })).body.data.value).toBe('')
  })

  it('a missing or foreign field, a wrong type, NUL', async () => {
    expect(await put({ name: 'X' })).toMatchObject(refused(400, 'validation_failed', '/value'))
    expect(await put({ name: 'X', value: 'x', colour: 'red' })).toMatchObject(
      refused(400, 'validation_failed', '/colour'),
    )
    expect(await put({ name: 'X', value: 1 })).toMatchObject(refused(400, 'validation_failed', '/value'))
    expect(await put({ name: 'X', value: 'a\0b' })).toMatchObject(refused(400, 'validation_failed', '/value'))
  })

  it('a caller without the scope', async () => {
    expect(await put({ name: 'X', value: 'x' }, { scopes: ['workspace:read'] })).toMatchObject(
      refused(403, 'missing_scope'),
    )
    expect(await system.request('GET', path, { caller: { scopes: ['workspace:write'] } })).toMatchObject(
      refused(403, 'missing_scope'),
    )
  })
})

describe('the list', () => {
  it('is newest first and can be narrowed to a name, to secrets, to open ones', async () => {
    const workspace = emptyWorkspace()
    await put({ name: 'OPEN_ONE', value: '1' }, workspace)
    await put({ name: 'HIDDEN_ONE', value: '2', secret: true }, workspace)
    await put({ name: 'OPEN_TWO', value: '3' }, workspace)
    const list = async (query: string) =>
      namesOf((await system.request('GET', `${path}?${query}`, { caller: workspace })).body.data)
    expect(await list('')).toEqual(['OPEN_TWO', 'HIDDEN_ONE', 'OPEN_ONE'])
    expect(await list('secret=true')).toEqual(['HIDDEN_ONE'])
    expect(await list('secret=false')).toEqual(['OPEN_TWO', 'OPEN_ONE'])
    expect(await list('name=OPEN_ONE')).toEqual(['OPEN_ONE'])
    expect(await list('name=OPEN_ONE&secret=true')).toEqual([])
  })

  it.each(['secret=perhaps', 'name=lower', 'limit=0', 'limit=101', 'colour=red', 'limit=1&limit=2'])(
    'refuses ?%s',
    async (query) => {
      const [name] = query.split('=')
      expect(await system.request('GET', `${path}?${query}`)).toMatchObject(
        refused(400, 'validation_failed', `?${name}`),
      )
    },
  )

  it('refuses a cursor it did not give', async () => {
    expect(await system.request('GET', `${path}?cursor=abc`)).toMatchObject(refused(400, 'invalid_cursor', '?cursor'))
  })

  it('shows each that was there once, whatever is set or removed while it is walked', async () => {
    const workspace = emptyWorkspace()
    const before = Array.from({ length: 7 }, (_, n) => `KEPT_${n}`)
    await Promise.all(before.map((name) => put({ name, value: 'x' }, workspace)))
    const seen: string[] = []
    let cursor: string | null = null
    for (let n = 0; ; n += 1) {
      const query: string = cursor === null ? 'limit=2' : `limit=2&cursor=${cursor}`
      const { body } = await system.request('GET', `${path}?${query}`, { caller: workspace })
      expect(body.data.length).toBeLessThanOrEqual(2)
      expect(body.pagination.has_more).toBe(body.pagination.next_cursor !== null)
      seen.push(...namesOf(body.data))
      cursor = body.pagination.next_cursor
      if (cursor === null) break
      await put({ name: `LATE_${n}`, value: 'x' }, workspace)
      await put({ name: seen[0] ?? '', value: 'changed' }, workspace)
    }
    expect(seen.toSorted()).toEqual(before)
  })
})

describe('removing a variable', () => {
  it('says what was removed; then there is none', async () => {
    await put({ name: 'GONE', value: 'x' })
    const removed = await system.request('DELETE', `${path}/GONE`)
    expect(removed).toMatchObject({ status: 200, body: { success: true, data: { name: 'GONE', deleted: true } } })
    expect(await system.request('DELETE', `${path}/GONE`)).toMatchObject(refused(404, 'not_found'))
    expect(await get('GONE')).toMatchObject(refused(404, 'not_found'))
    expect(await put({ name: 'GONE', value: 'again' })).toMatchObject({ status: 201 })
  })

  it('finds nothing under what cannot be a name', async () => {
    expect(await system.request('DELETE', `${path}/gone`)).toMatchObject(refused(404, 'not_found'))
  })
})

describe('another workspace', () => {
  it('neither sees nor removes it, and may use the name for itself', async () => {
    await put({ name: 'MINE', value: 'mine' })
    const stranger = { workspaceId: other }
    expect(await get('MINE', stranger)).toMatchObject(refused(404, 'not_found'))
    expect(await system.request('DELETE', `${path}/MINE`, { caller: stranger })).toMatchObject(
      refused(404, 'not_found'),
    )
    expect((await system.request('GET', path, { caller: stranger })).body.data).toEqual([])
    expect(await put({ name: 'MINE', value: 'theirs' }, stranger)).toMatchObject({ status: 201 })
    expect((await get('MINE')).body.data.value).toBe('mine')
  })

  it('reads nothing with the filter of the store removed, and writes nothing into ours', async () => {
    await put({ name: 'WALLED', value: 'mine' })
    const mine = system.caller.workspaceId
    const seen = (workspaceId: string | null) =>
      database.read({ workspaceId }, async (db, query) => [
        (await db.workspaceVariable.findMany()).filter((row) => row.workspaceId === mine).length,
        (await query('SELECT 1 FROM workspace_variables WHERE workspace_id = $1', [mine])).length,
      ])
    const [own] = await seen(mine)
    expect(own).toBeGreaterThan(0)
    expect(await seen(other)).toEqual([0, 0])
    expect(await seen(null)).toEqual([0, 0])
    const stranger = { ...system.caller, workspaceId: other, requestId: 'req-rls-test' }
    await expect(
      database.transact(stranger, ({ query }) =>
        query(`INSERT INTO workspace_variables (workspace_id, name, value, secret) VALUES ($1, 'FORGED', 'x', false)`, [
          mine,
        ]),
      ),
    ).rejects.toThrow('row-level security')
    const changed = await database.transact(stranger, ({ db }) =>
      db.workspaceVariable.updateMany({ where: { name: 'WALLED' }, data: { value: 'theirs' } }),
    )
    expect(changed).toEqual({ count: 0 })
    expect((await get('WALLED')).body.data.value).toBe('mine')
  })
})

describe('what a cache may do', () => {
  it('asks again with the tag and is told that nothing changed; a change needs the tag where one is named', async () => {
    await put({ name: 'TAGGED', value: 'x' })
    const read = await get('TAGGED')
    const etag = read.headers.get('etag') ?? ''
    expect(read.headers.get('cache-control')).toBe('private, no-cache')
    expect(read.headers.get('vary')).toContain('x-workspace-key')
    const again = await system.request('GET', `${path}/TAGGED`, { headers: { 'if-none-match': etag } })
    expect(again).toMatchObject({ status: 304, body: '' })
    await put({ name: 'TAGGED', value: 'y' })
    const stale = { headers: { 'if-match': etag } }
    expect(await system.request('DELETE', `${path}/TAGGED`, stale)).toMatchObject(refused(412, 'precondition_failed'))
    const fresh = { headers: { 'if-match': (await get('TAGGED')).headers.get('etag') ?? '' } }
    expect((await system.request('DELETE', `${path}/TAGGED`, fresh)).status).toBe(200)
  })
})
