import { randomInt } from 'node:crypto'
import { afterAll, expect, it } from '@jest/globals'
import { auditRecorded } from '@wp/contracts'
import { newId } from '@wp/database'
import { connectBus, publishEvent } from '@wp/events'
import { noLog } from '@wp/runtime'
import { eventually, startReceiver, startTestFleet, testNats } from '@wp/testkit'
import { recordsOf, type WrittenRecord } from '../fixture/destinations.ts'

/** Records of a run: enough that every kill meets a batch. `DESTINATION_RECORDS` sets another number. */
const recordCount = Number(process.env.DESTINATION_RECORDS ?? 800)
const killed = ['webhook-delivery', 'audit', 'gateway'] as const

const receiver = await startReceiver()
const { url: servers, shard } = testNats()
const fleet = await startTestFleet({
  processes: ['webhook-delivery', 'audit', 'gateway'],
  shard,
  services: ['auth', 'audit', 'webhook-delivery'],
  outbound: { OUTBOUND_CA_FILE: receiver.caFile },
  env: {
    // No lease ends during the test: a restarted process takes over those of its predecessor.
    'webhook-delivery': {
      RETRY_SCHEDULE_SECONDS: Array.from({ length: 40 }, () => '0.1').join(),
      ATTEMPT_TIMEOUT_SECONDS: '2',
      LEASE_SECONDS: '300',
    },
    audit: { ACK_WAIT_SECONDS: '1' },
  },
})
const bus = await connectBus({ servers, shard, name: 'test', log: noLog })
await eventually(() => bus.isConnected)
afterAll(async () => {
  await bus.close()
  await fleet.stop()
  await receiver.close()
})

const written = (): WrittenRecord[] => receiver.received.flatMap(recordsOf)

it('writes every audit record without a gap, in order, when its processes are killed repeatedly', async () => {
  const as = await fleet.token(fleet.owner)
  const { workspaceId } = fleet.owner
  const body = { name: 'SIEM', content: 'audit', config: { type: 'http', url: receiver.url('/siem') } }
  const created = await fleet.request('POST', '/v1/webhooks/destinations', { as, body })
  expect(created.status).toBe(201)
  const first = created.body.data.position + 1

  const publishing = (async () => {
    for (let sent = 0; sent < recordCount; sent += 50)
      await Promise.all(Array.from({ length: 50 }, () => publishEvent(bus, 'data', auditEvent(workspaceId))))
  })()
  for (const [index, name] of killed.entries()) {
    const goal = Math.floor((recordCount * (index + randomInt(0, 100) / 100)) / (killed.length + 1))
    await eventually(() => new Set(written().map(({ seq }) => seq)).size >= goal, { intervalMs: 1 })
    await fleet.member(name).kill()
    await fleet.restart(name)
  }
  await publishing
  // The creation of the event destination is recorded too.
  const seqs = await eventually(
    () => {
      const found = written().map(({ seq }) => seq)
      return new Set(found).size >= recordCount && found
    },
    { description: 'all records' },
  )
  const unique = [...new Set(seqs)]
  expect(unique).toEqual(Array.from({ length: unique.length }, (_, index) => first + index))
  if (process.env.DESTINATION_RECORDS !== undefined)
    process.stdout.write(`${unique.length} records, ${seqs.length - unique.length} repeated, ${killed.length} kills\n`)
})

function auditEvent(workspaceId: string) {
  const { actor, context } = auditRecorded.example
  return {
    id: newId('evt'),
    kind: auditRecorded.kind,
    workspace_id: workspaceId,
    occurred_at: new Date().toISOString(),
    actor,
    request_id: context.request_id,
    traceparent: null,
    data: { ...auditRecorded.example },
  }
}
