import { afterAll, describe, expect, it } from '@jest/globals'
import { publishEvent } from '@wp/events'
import { createLogger, startService } from '@wp/service'
import { definition } from '../src/index.ts'
import { eventOf, newWorkspace, startAuditHarness } from './fixture/harness.ts'

const audit = await startAuditHarness()
const log = createLogger('audit', 'silent')
const replica = await startService(definition, { ...audit.env, PORT: '0' }, { log })
afterAll(async () => {
  await replica.stop()
  await audit.stop()
})

/**
 * Publishes `each` events from each of 50 concurrent writers, alternating workspaces. @returns record ids by workspace
 */
async function write(workspaces: readonly string[], each: number): Promise<Map<string, string[]>> {
  const published = new Map(workspaces.map((workspaceId) => [workspaceId, [] as string[]]))
  await Promise.all(
    Array.from({ length: 50 }, async (_, writer) => {
      for (let n = 0; n < each; n += 1) {
        const workspaceId = workspaces[(writer + n) % workspaces.length] ?? ''
        const event = eventOf(workspaceId, { changes: { writer, n } })
        await publishEvent(audit.bus, 'data', event)
        published.get(workspaceId)?.push(event.id.replace('evt_', 'log_'))
      }
    }),
  )
  return published
}

async function expectRecorded(published: Map<string, string[]>): Promise<void> {
  for (const [workspaceId, ids] of published) {
    await audit.waitForRecords(workspaceId, ids.length)
    const rows = await audit.sql<{ id: string; seq: string }>(
      'SELECT id, seq FROM audit_records WHERE workspace_id = $1 ORDER BY seq',
      [workspaceId],
    )
    expect(rows.map(({ seq }) => Number(seq))).toEqual(ids.map((_, index) => index + 1))
    expect(rows.map(({ id }) => id).sort()).toEqual(ids.sort())
    expect(await audit.verify(workspaceId)).toMatchObject({ status: 'ok', checked: ids.length, problems: [] })
  }
}

describe('50 concurrent writers and two recording replicas', () => {
  it('create one chain without gaps for one workspace', async () => {
    await expectRecorded(await write([newWorkspace().workspaceId], 8))
  })

  it('create one chain each for several workspaces', async () => {
    const workspaces = Array.from({ length: 7 }, () => newWorkspace().workspaceId)
    await expectRecorded(await write(workspaces, 7))
  })

  it('do not disturb a concurrent verification', async () => {
    const { workspaceId } = newWorkspace()
    let writing = true
    const verifying = (async () => {
      let checked = 0
      while (writing) {
        const result = await audit.verify(workspaceId)
        expect(result).toMatchObject({ status: 'ok', problems: [] })
        checked = Math.max(checked, result.checked)
      }
      return checked
    })()
    const published = await write([workspaceId], 8)
    await audit.waitForRecords(workspaceId, 400)
    writing = false
    expect(await verifying).toBeGreaterThan(0)
    await expectRecorded(published)
  })
})
