import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { definition } from '../src/index.ts'
import { createVerifications, verificationLimits } from '../src/verifications.ts'
import { type AuditHarness, newWorkspace, startAuditHarness } from './fixture/harness.ts'

const chainLength = 10

/** The service, which verifies at most four records per call. */
let audit: AuditHarness
let workspaceId: string
beforeAll(async () => {
  const limits = { ...verificationLimits, batchSize: 2, maxRecords: 4 }
  audit = await startAuditHarness(
    {},
    {
      ...definition,
      async createContext(config, runtime) {
        const context = await definition.createContext(config, runtime)
        return { ...context, verifications: createVerifications(context.database, context.signer, limits) }
      },
    },
  )
})
beforeEach(async () => {
  workspaceId = newWorkspace().workspaceId
  for (let n = 1; n <= chainLength; n += 1) await audit.publish(workspaceId, { changes: { n } })
  await audit.waitForRecords(workspaceId, chainLength)
})
afterAll(() => audit?.stop())

/** Verifies the whole chain, call by call. */
async function verifyAll(query = '') {
  const parts = []
  let toSeq: number | null | undefined
  while (toSeq !== null) {
    const part = await audit.verify(workspaceId, `${query}${toSeq === undefined ? '' : `&to_seq=${toSeq}`}`)
    parts.push(part)
    toSeq = part.next_to_seq
  }
  return parts
}

describe('a chain that is longer than one verification', () => {
  it('is verified from its end, each record once, by calls that say where the rest ends', async () => {
    const parts = await verifyAll()
    expect(
      parts.map(({ status, checked, first_seq, last_seq, next_to_seq }) => [
        status,
        checked,
        first_seq,
        last_seq,
        next_to_seq,
      ]),
    ).toEqual([
      ['ok', 4, 7, 10, 6],
      ['ok', 4, 3, 6, 2],
      ['ok', 2, 1, 2, null],
    ])
  })

  it('has the problem in the part of its record, also at the border of two parts', async () => {
    const problemsOf = async () =>
      (await verifyAll()).map(({ problems }) =>
        problems.map(({ kind, seq }: { kind: string; seq: number }) => [kind, seq]),
      )
    await audit.sql(`UPDATE audit_records SET action = 'x.y' WHERE workspace_id = $1 AND seq = 6`, [workspaceId])
    expect(await problemsOf()).toEqual([[], [['altered', 6]], []])
    await audit.sql('DELETE FROM audit_records WHERE workspace_id = $1 AND seq = 6', [workspaceId])
    expect(await problemsOf()).toEqual([[], [['missing', 6]], []])
  })

  it('is complete in one call when the requested part is not longer', async () => {
    expect(await audit.verify(workspaceId, 'from_seq=7')).toMatchObject({ checked: 4, next_to_seq: null })
    expect(await audit.verify(workspaceId, 'from_seq=3&to_seq=9')).toMatchObject({ checked: 4, next_to_seq: 5 })
  })

  it('has its signed head checked by the part with its position', async () => {
    const early = newWorkspace()
    await audit.publish(early.workspaceId)
    await audit.waitForRecords(early.workspaceId, 1)
    const { body } = await audit.request('GET', '/v1/audit/logs/head', { caller: early })
    workspaceId = early.workspaceId
    for (let n = 2; n <= 6; n += 1) await audit.publish(workspaceId)
    await audit.waitForRecords(workspaceId, 6)
    const statuses = (await verifyAll(`head=${body.data.token}`)).map(({ signed_head }) => signed_head.status)
    expect(statuses).toEqual(['not_checked', 'confirmed'])
  })
})
