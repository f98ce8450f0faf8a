import { afterAll, expect, it } from '@jest/globals'
import { createAccessContext, eventually, startTestFleet } from '@wp/testkit'
import { Client } from 'pg'
import { accessFixtures } from '../access.ts'
import { docs } from '../fixture/export-harness.ts'

const fleet = await startTestFleet({ services: ['auth', 'audit'] })
const context = await createAccessContext(fleet)
const database = new Client({ connectionString: fleet.databases.get('audit')?.adminUrl })
await database.connect()
afterAll(async () => {
  await database.end()
  await fleet.stop()
})

it('an export is downloaded through the edge as the file that its digest describes', async () => {
  const { id = '' } = (await accessFixtures['audit.getDocContent']?.params?.(context)) ?? {}
  const { sha256, bytes } = await context.read(`${docs}/${id}`)
  const as = context.owner.principal
  const { status, headers } = await fleet.request('GET', `${docs}/${id}/content`, { as })
  expect({ status, etag: headers.get('etag'), length: headers.get('content-length') }).toEqual({
    status: 200,
    etag: `"${sha256}"`,
    length: String(bytes),
  })
  const cached = { as, headers: { 'if-none-match': `"${sha256}"` } }
  expect((await fleet.request('GET', `${docs}/${id}/content`, cached)).status).toBe(304)
})

it('an export whose API key was deleted while it waited fails', async () => {
  const { id, keyId } = await exportOfNewKey()
  await sql(
    `UPDATE platform.jobs SET state = 'queued', finished_at = NULL, run_at = now() + interval '1 day' WHERE id = $1`,
    [id],
  )
  expect((await fleet.request('DELETE', `/v1/auth/api-key/${keyId}`, { as: context.owner.user })).status).toBe(200)
  await sql('UPDATE platform.jobs SET run_at = now() WHERE id = $1', [id])
  await untilEnd(id)
  expect(await context.read(`${docs}/${id}`)).toMatchObject({ status: 'failed', error: { code: 'caller_revoked' } })
})

async function exportOfNewKey() {
  const newKey = { as: context.owner.user, body: { name: 'export', scopes: ['audit:export'] } }
  const { api_key: as, key_id: keyId } = (await fleet.request('POST', '/v1/auth/api-key', newKey)).body.data
  const body = { format: 'csv', from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' }
  const { id } = (await fleet.request('POST', docs, { as, body })).body.data
  await untilEnd(id)
  return { id, keyId }
}

const sql = async (text: string, values: unknown[]) => (await database.query(text, values)).rows

/** Polls the database: requests through the edge would count against the rate limit. */
const untilEnd = (id: string) =>
  eventually(
    async () =>
      (await sql(`SELECT FROM platform.jobs WHERE id = $1 AND state IN ('finished', 'failed')`, [id])).length === 1,
    { description: `the end of ${id}` },
  )
