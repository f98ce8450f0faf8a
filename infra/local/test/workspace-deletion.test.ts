import { hash } from 'node:crypto'
import { afterAll, describe, expect, it } from '@jest/globals'
import { eventually, startTestFleet, type TestWorkspace } from '@wp/testkit'
import { countRows as countRowsIn } from './deletion/count-rows.ts'

const fleet = await startTestFleet({ env: { auth: { WORKSPACE_DELETION_GRACE_DAYS: '0' } } })
afterAll(() => fleet.stop())

/** The canonical JSON of RFC 8785, for the values of a receipt. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`
}

/** Creates rows in the services of a workspace. */
async function fill(workspace: TestWorkspace): Promise<void> {
  const as = await fleet.token(workspace)
  const create = async (path: string, body: unknown) => {
    const { status, body: created } = await fleet.request('POST', path, { as, body })
    expect([path, status]).toEqual([path, status < 300 ? status : created])
    return created.data
  }
  await create('/v1/system/workspace/variables', { name: 'REGION', value: 'north' })
  const { data_source_id: source } = await create('/v1/data/sources', { name: 'rooms', provider: 'upload', config: {} })
  const rows = Array.from({ length: 20 }, (_, row) => ({ room: `room ${row}` }))
  await create(`/v1/data/sources/${source}/records`, rows)
  await create('/v1/webhooks/webhooks', { endpoint: 'https://example.com/hook', events: ['DATA_SYNC_FINISHED'] })
  await create('/v1/agents/agents', { name: 'helper', instructions: 'Answer' })
}

const countRows = (workspaceId: string) => countRowsIn(fleet.databases, workspaceId)

describe('the deletion of a workspace', () => {
  it('removes its rows from every service, ends with a receipt, and leaves other workspaces alone', async () => {
    const doomed = await fleet.seed('doomed')
    const user = await fleet.userToken(doomed.ownerId)
    const { body: second } = await fleet.request('POST', '/v1/system/workspaces', { as: user, body: { name: 'kept' } })
    await Promise.all([fill(doomed), fill(fleet.stranger)])
    const strangerBefore = await countRows(fleet.stranger.workspaceId)
    const before = await countRows(doomed.workspaceId)
    for (const service of ['auth', 'system', 'data', 'webhook-delivery', 'ai'])
      expect(Object.keys(before).some((name) => name.startsWith(`${service} public.`))).toBe(true)

    const headers = { 'x-workspace-key': doomed.workspaceId }
    const path = `/v1/system/workspace?confirm=${doomed.workspaceId}`
    const answer = await fleet.request('DELETE', path, { as: user, headers })
    expect(answer).toMatchObject({ status: 202, body: { data: { workspace_id: doomed.workspaceId } } })
    await eventually(
      async () => (await fleet.request('GET', '/v1/system/workspace', { as: doomed.apiKey })).status === 401,
      { description: 'the API key to be refused' },
    )

    const read = async () =>
      (await fleet.request('GET', `/v1/system/workspaces/${doomed.workspaceId}/deletion`, { as: user })).body.data
    let latest: unknown
    const receipt = await eventually(
      async () => {
        latest = await read()
        return (latest as { status: string }).status === 'finished' ? await read() : undefined
      },
      { description: 'the receipt', timeoutMs: 60_000 },
    ).catch((error: unknown) => {
      throw new Error(JSON.stringify(latest), { cause: error })
    })

    const retained = receipt.services.flatMap(
      ({ service, retained: tables }: { service: string; retained: { table: string }[] }) =>
        tables.map(({ table }) => `${service} ${table}`),
    )
    // The edge reports calls in batches, which may arrive after a deletion without a settling time.
    const late = /^(billing public\.usage_|audit public\.request_)/
    const left = Object.keys(await countRows(doomed.workspaceId))
    expect(left.filter((name) => !retained.includes(name) && !late.test(name))).toEqual([])
    const deleted = Object.fromEntries(
      receipt.services.map(({ service, deleted: tables }: { service: string; deleted: object }) => [service, tables]),
    )
    expect(deleted.system).toMatchObject({ 'public.workspace_variables': 1 })
    expect(deleted.data).toMatchObject({ 'public.data_records': 20 })
    expect(deleted.auth).toMatchObject({ 'public.workspaces': 1, 'public.api_keys': 1 })

    const { id, workspace_id, created_at, started_at, finished_at, services } = receipt
    const text = canonicalJson({ id, workspace_id, created_at, started_at, finished_at, services })
    expect(receipt.receipt_hash).toBe(hash('sha256', text, 'hex'))

    // Queues change on their own; what users created does not.
    const strangerAfter = await countRows(fleet.stranger.workspaceId)
    const lasting = /^(auth|system|data|webhook-delivery|ai) public\./
    for (const [table, rows] of Object.entries(strangerBefore).filter(([name]) => lasting.test(name)))
      expect([table, strangerAfter[table] ?? 0]).toEqual([table, Math.max(rows, strangerAfter[table] ?? 0)])
    const { body: workspaces } = await fleet.request('GET', '/v1/system/workspaces', { as: user })
    expect(workspaces.data.map((workspace: { workspace_id: string }) => workspace.workspace_id)).toEqual([
      second.data.workspace_id,
    ])
  })

  it('is refused without the confirmation, for members and for service principals', async () => {
    const workspace = await fleet.seed('careful')
    const user = await fleet.userToken(workspace.ownerId)
    expect(await fleet.request('DELETE', '/v1/system/workspace?confirm=other', { as: user })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/confirm' }] },
    })
    const path = `/v1/system/workspace?confirm=${workspace.workspaceId}`
    const principal = await fleet.token(workspace)
    expect(await fleet.request('DELETE', path, { as: principal })).toMatchObject({ status: 403 })
    expect((await fleet.request('GET', '/v1/system/workspace', { as: user })).status).toBe(200)
  })
})
