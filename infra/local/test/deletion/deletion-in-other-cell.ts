import { expect, it } from '@jest/globals'
import { eventually, type TestDatabase, type TestFleet, type TestWorkspace } from '@wp/testkit'
import { countRows } from './count-rows.ts'

/** Creates a source with records in the cell of a workspace. */
async function fill(fleet: TestFleet, { apiKey }: TestWorkspace): Promise<void> {
  const { body } = await fleet.request('POST', '/v1/data/sources', {
    as: apiKey,
    body: { name: 'rooms', provider: 'upload', config: {} },
  })
  const rows = Array.from({ length: 20 }, (_, row) => ({ room: `room ${row}` }))
  const path = `/v1/data/sources/${body.data.data_source_id}/records`
  expect((await fleet.request('POST', path, { as: apiKey, body: rows })).status).toBe(200)
}

/** @param fleetOf returns the fleet of two cells, whose workspaces are deleted at once, from the first test on */
export function itDeletesInOtherCell(fleetOf: () => TestFleet): void {
  it('deletes a workspace of another cell there and from the global services, with a receipt', async () => {
    const fleet = fleetOf()
    const [doomed, neighbour] = await Promise.all([fleet.seed('doomed', 'two'), fleet.seed('neighbour', 'two')])
    await Promise.all([fill(fleet, doomed), fill(fleet, neighbour)])
    const far = fleet.cells.get('two')?.databases ?? new Map<string, TestDatabase>()
    expect(await countRows(far, doomed.workspaceId)).toMatchObject({ 'data public.data_records': 20 })
    const neighbourBefore = (await countRows(far, neighbour.workspaceId))['data public.data_records']

    const user = await fleet.userToken(doomed.ownerId)
    const headers = { 'x-workspace-key': doomed.workspaceId }
    const path = `/v1/system/workspace?confirm=${doomed.workspaceId}`
    expect((await fleet.request('DELETE', path, { as: user, headers })).status).toBe(202)
    const receipt = await eventually(
      async () => {
        const { body } = await fleet.request('GET', `/v1/system/workspaces/${doomed.workspaceId}/deletion`, {
          as: user,
        })
        return body.data.status === 'finished' && body.data
      },
      { description: 'the receipt', timeoutMs: 60_000 },
    )

    type Part = { service: string; deleted: Record<string, number>; retained: { table: string }[] }
    const parts: Part[] = receipt.services
    expect(parts.find(({ service }) => service === 'data')?.deleted).toMatchObject({ 'public.data_records': 20 })
    const retained = new Set(
      parts.flatMap(({ service, retained: tables }) => tables.map(({ table }) => `${service} ${table}`)),
    )
    // The edge reports calls in batches, which may arrive after a deletion without a settling time.
    const late = /^(billing public\.usage_|audit public\.request_)/
    for (const databases of [far, fleet.databases]) {
      const left = Object.keys(await countRows(databases, doomed.workspaceId))
      expect(left.filter((name) => !retained.has(name) && !late.test(name))).toEqual([])
    }
    expect((await countRows(far, neighbour.workspaceId))['data public.data_records']).toBe(neighbourBefore)
  })
}
