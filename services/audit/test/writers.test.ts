import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { publishEvent } from '@wp/events'
import { createLogger, type RunningService, startService } from '@wp/service'
import { definition } from '../src/index.ts'
import { type Audit, eventOf, inNewWorkspace, startAudit } from './fixture/audit.ts'

let audit: Audit
let replica: RunningService
beforeAll(async () => {
  audit = await startAudit()
  const log = createLogger('audit', 'silent')
  replica = await startService(definition, { ...audit.env, PORT: '0' }, { log })
})
afterAll(async () => {
  await replica.stop()
  await audit.stop()
})

/** Fifty writers at once, each with so many events, to these workspaces by turns. @returns what each was told of */
async function write(workspaces: readonly string[], each: number): Promise<Map<string, string[]>> {
  const told = new Map(workspaces.map((workspaceId) => [workspaceId, [] as string[]]))
  await Promise.all(
    Array.from({ length: 50 }, async (_, writer) => {
      for (let n = 0; n < each; n += 1) {
        const workspaceId = workspaces[(writer + n) % workspaces.length] ?? ''
        const event = eventOf(workspaceId, { changes: { writer, n } })
        await publishEvent(audit.bus, 'data', event)
        told.get(workspaceId)?.push(event.id.replace('evt_', 'log_'))
      }
    }),
  )
  return told
}

async function expectAll(told: Map<string, string[]>): Promise<void> {
  for (const [workspaceId, ids] of told) {
    await audit.until(workspaceId, ids.length)
    const rows = await audit.sql<{ id: string; seq: string }>(
      'SELECT id, seq FROM audit_records WHERE workspace_id = $1 ORDER BY seq',
      [workspaceId],
    )
    expect(rows.map(({ seq }) => Number(seq))).toEqual(ids.map((_, index) => index + 1))
    expect(rows.map(({ id }) => id).sort()).toEqual(ids.sort())
    expect(await audit.verify(workspaceId)).toMatchObject({ status: 'ok', checked: ids.length, problems: [] })
  }
}

describe('fifty writers at once, and two replicas that record', () => {
  it('make one chain without gaps in one workspace', async () => {
    await expectAll(await write([inNewWorkspace().workspaceId], 24))
  }, 30_000)

  it('make one each in several', async () => {
    const workspaces = Array.from({ length: 7 }, () => inNewWorkspace().workspaceId)
    await expectAll(await write(workspaces, 14))
  }, 30_000)

  it('are no problem to who verifies meanwhile', async () => {
    const { workspaceId } = inNewWorkspace()
    let writing = true
    const verifying = (async () => {
      let checked = 0
      while (writing) {
        const verdict = await audit.verify(workspaceId)
        expect(verdict).toMatchObject({ status: 'ok', problems: [] })
        checked = Math.max(checked, verdict.checked)
      }
      return checked
    })()
    const told = await write([workspaceId], 16)
    await audit.until(workspaceId, 800)
    writing = false
    expect(await verifying).toBeGreaterThan(0)
    await expectAll(told)
  }, 30_000)
})
