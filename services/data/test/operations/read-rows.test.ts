import { afterAll, describe, expect, it } from '@jest/globals'
import { withClient } from '../support/database.ts'
import { startDataService } from '../support/service.ts'

const service = await startDataService()
const id = await service.createSource()
await service.upload(
  id,
  'text/csv',
  'at,people,"room, floor",open,zip\n2026-01-05,12,A,TRUE,007\n2026-01-06,,B,false,1\n',
)
afterAll(() => service.stop())

const rowsOf = (sourceId: string, query: string, options = {}) =>
  service.request('GET', `/internal/data/sources/${sourceId}/rows?${query}`, { signer: 'solutions', ...options })

describe('data.readRows', () => {
  it('returns the requested fields in their types, oldest record first', async () => {
    const fields = ['people', 'room, floor', 'open', 'zip', 'at', 'none'].map(encodeURIComponent).join(',')
    const response = await rowsOf(id, `fields=${encodeURIComponent(fields)}`)
    expect([response.status, response.body]).toEqual([
      200,
      {
        rows: [
          [12, 'A', true, '007', '2026-01-05', null],
          [null, 'B', false, '1', '2026-01-06', null],
        ],
        after: null,
        refused_rows: 0,
      },
    ])
  })

  it('returns each record once over all pages', async () => {
    const source = await service.createSource({ config: { key: 'n' } })
    await service.upload(source, 'text/csv', `n\n${Array.from({ length: 2500 }, (_, index) => index).join('\n')}`)
    const seen: unknown[] = []
    for (let after: string | null = ''; after !== null; ) {
      const page = await rowsOf(source, `fields=n&limit=700${after === '' ? '' : `&after=${after}`}`)
      seen.push(...page.body.rows.flat())
      after = page.body.after
    }
    expect(seen).toEqual(Array.from({ length: 2500 }, (_, index) => index))
  })

  it('returns shorter pages when records are large', async () => {
    const source = await service.createSource({ config: { key: 'n' } })
    const wide = Array.from({ length: 50 }, (_, n) => ({ n, text: 'x'.repeat(250_000) }))
    await service.upload(source, 'application/x-ndjson', wide.map((row) => JSON.stringify(row)).join('\n'))
    const first = await rowsOf(source, 'fields=n,text')
    expect(first.body.rows.length).toBeLessThan(50)
    expect(first.body.after).not.toBeNull()
    const second = await rowsOf(source, `fields=n,text&after=${first.body.after}`)
    expect([...first.body.rows, ...second.body.rows].map(([n]) => n)).toEqual(wide.map(({ n }) => n))
    expect(second.body.after).toBeNull()
  })

  it('requires a service the contract names and the scope of the caller', async () => {
    expect((await rowsOf(id, 'fields=at', { signer: 'gateway' })).body).toMatchObject({ code: 'caller_not_allowed' })
    expect((await rowsOf(id, 'fields=at', { signer: 'webhook-delivery' })).body).toMatchObject({
      code: 'caller_not_allowed',
    })
    expect((await rowsOf(id, 'fields=at', { caller: { scopes: [] } })).body).toMatchObject({ code: 'missing_scope' })
    const elsewhere = { workspaceId: 'ws_01h455vb4pex5vsknk084sn03q' }
    expect((await rowsOf(id, 'fields=at', { caller: elsewhere })).status).toBe(404)
  })

  it('rejects malformed fields and cursors', async () => {
    expect((await rowsOf(id, 'fields=%25zz')).body).toMatchObject({ errors: [{ pointer: '?fields' }] })
    expect((await rowsOf(id, `fields=${'a,'.repeat(200)}a`)).body).toMatchObject({ errors: [{ pointer: '?fields' }] })
    expect((await rowsOf(id, 'fields=at&after=nonsense')).body).toMatchObject({ code: 'invalid_cursor' })
  })
})

describe('row-level security', () => {
  const asWorkspace = (workspaceId: string, text: string, values: unknown[] = []) =>
    withClient(service.env.DATABASE_URL, async (client) => {
      await client.query('BEGIN READ WRITE')
      await client.query(`SELECT set_config('app.workspace_id', $1, true)`, [workspaceId])
      return (await client.query(text, values)).rows
    })

  it.each(['data_sources', 'data_records'])('returns only rows of the own workspace from %s', async (table) => {
    const own = service.caller.workspaceId ?? ''
    expect(await asWorkspace(own, `SELECT DISTINCT workspace_id FROM ${table}`)).toEqual([{ workspace_id: own }])
    expect(await asWorkspace('ws_01h455vb4pex5vsknk084sn03q', `SELECT FROM ${table}`)).toEqual([])
    expect(await asWorkspace('', `SELECT FROM ${table}`)).toEqual([])
    expect(await asWorkspace('ws_01h455vb4pex5vsknk084sn03q', `DELETE FROM ${table} RETURNING 1`)).toEqual([])
  })

  it('rejects writes for another workspace', async () => {
    const insert = `INSERT INTO data_records (record_id, workspace_id, data_source_id, key, data)
                    VALUES ('rec_x', $1, $2, 'k', '{}')`
    await expect(
      asWorkspace('ws_01h455vb4pex5vsknk084sn03q', insert, [service.caller.workspaceId, id]),
    ).rejects.toThrow(/row-level security/)
  })
})

describe('refused_rows', () => {
  const refusedOf = async (source: string) => (await rowsOf(source, 'fields=n')).body.refused_rows
  const csv = (...cells: unknown[]) => `n,people\n${cells.map((people, n) => `${n},${people}\n`).join('')}`
  const valid = Array.from({ length: 30 }, (_, n) => n)
  const numbers = { fields: { people: { type: 'number' } } }

  it('counts the rows that uploads refused, once however often the same file is sent', async () => {
    const source = await service.createSource({ config: { key: 'n', ...numbers } })
    const file = csv(...valid, 'many', 'few')
    await service.upload(source, 'text/csv', file)
    expect(await refusedOf(source)).toBe(2)
    await service.upload(source, 'text/csv', file)
    expect(await refusedOf(source)).toBe(2)
  })

  it('is replaced by a corrected file and by a full upload, and added to by another file', async () => {
    const source = await service.createSource({ config: { key: 'n', ...numbers } })
    await service.upload(source, 'text/csv', csv(...valid, 'many', 'few'))
    await service.upload(source, 'text/csv', csv(...valid, 31, 'few'))
    expect(await refusedOf(source)).toBe(1)
    await service.upload(source, 'text/csv', 'n,people\n100,many\n101,5\n')
    expect(await refusedOf(source)).toBe(2)
    await service.request('POST', `/v1/data/sources/${source}/records?mode=full`, {
      headers: { 'content-type': 'text/csv' },
      rawBody: csv(...valid, 'many', 1, 1),
    })
    expect(await refusedOf(source)).toBe(1)
  })

  it('does not count rows below the table', async () => {
    const source = await service.createSource({ config: numbers })
    await service.upload(source, 'text/csv', `${csv(...valid)}Total,435\n`)
    expect(await refusedOf(source)).toBe(0)
  })
})
