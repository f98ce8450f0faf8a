import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { IdentityHeartbeat, identityHeartbeatSubject, maxIdentityChanges } from '@wp/contracts'
import type { Subscription } from '@wp/events'
import { createScheduleWorker } from '@wp/jobs/background'
import { eventually } from '@wp/testkit'
import { identityLogSchedule } from '../../src/identity-log.ts'
import { numberIdentityChanges } from '../../src/store/identity-changes.ts'
import { anonymousSubject, confirmSubscriptions, startTestAuth } from '../fixture/auth.ts'

let heartbeats: IdentityHeartbeat[]
let subscription: Subscription
const auth = await startTestAuth()
beforeEach(async () => {
  heartbeats = []
  const subject = identityHeartbeatSubject(auth.context.shard)
  subscription = auth.context.bus.subscribe(subject, (data) => heartbeats.push(IdentityHeartbeat.parse(data)))
  await confirmSubscriptions(auth.context.bus)
})
afterEach(() => subscription.unsubscribe())
afterAll(() => auth.stop())

const changes = () => heartbeats.flatMap((heartbeat) => heartbeat.changes)
const numberOf = (id: string) => changes().find((change) => change.id === id)?.number
const record = (id: string) =>
  auth.rows(`INSERT INTO identity_changes (type, subject_id) VALUES ('principal', $1)`, [id])
const published = (id: string) => eventually(() => numberOf(id), { description: `the change of ${id}` })

async function read(after: number) {
  const caller = { ...anonymousSubject(auth.context.shard), principal: { id: 'svc:gateway', type: 'service' as const } }
  const { status, body } = await auth.service.request('GET', `/internal/auth/identity-changes?after=${after}`, {
    caller,
  })
  expect(status).toBe(200)
  return body.data
}

describe('heartbeats of the change log', () => {
  it('continue without changes', async () => {
    const [first, second] = await eventually(() => {
      const quiet = heartbeats.filter((heartbeat) => heartbeat.changes.length === 0)
      return quiet.length >= 2 && quiet
    })
    expect(first).toEqual({ after: second?.after, latest: second?.latest, is_complete: true, changes: [] })
  })

  it('contain a change although the replica that committed it was killed before it sent a message', async () => {
    // A statement of another client: the process under test learns nothing of the commit.
    await auth.rows('UPDATE workspaces SET deleted_at = NULL WHERE workspace_id = $1', [auth.seeded.workspace_id])
    await published(auth.seeded.workspace_id)
  })

  it('number changes in the order of their commits', async () => {
    const client = await auth.context.database.worker.connect()
    try {
      await client.query('BEGIN')
      await client.query(`INSERT INTO identity_changes (type, subject_id) VALUES ('principal', 'commits late')`)
      await record('commits early')
      const early = await published('commits early')
      await client.query('COMMIT')
      expect(await published('commits late')).toBe(early + 1)
    } finally {
      client.release()
    }
  })

  it('have no gaps with two replicas, and continue when one stops', async () => {
    const context = { ...auth.context, elapsedMs: () => 0 }
    const replicas = [0, 1].map(() => createScheduleWorker(identityLogSchedule(context), context))
    await Promise.all(replicas.map((replica) => replica.start()))
    for (let serial = 0; serial < 50; serial += 1) await record(`replicated ${serial}`)
    // The heartbeats of two replicas may overtake each other.
    for (let serial = 0; serial < 50; serial += 1) await published(`replicated ${serial}`)
    await replicas[0]?.stop()
    await record('after the stop')
    await published('after the stop')
    await replicas[1]?.stop()
    const numbers = changes().map(({ number }) => number)
    const [first = 0] = numbers.toSorted((a, b) => a - b)
    expect(numbers.toSorted((a, b) => a - b)).toEqual(numbers.map((_, index) => first + index))
    for (const { after, latest, changes: contained } of heartbeats) expect(latest).toBe(after + contained.length)
  })

  it('state that they are incomplete while more changes have no number', async () => {
    await auth.rows(
      `INSERT INTO identity_changes (type, subject_id) SELECT 'principal', 'mass ' || n FROM generate_series(1, $1) AS n`,
      [maxIdentityChanges + 1],
    )
    await published(`mass ${maxIdentityChanges + 1}`)
    const [first, second] = heartbeats.filter((heartbeat) => heartbeat.changes.length > 0)
    expect([first?.is_complete, first?.changes.length]).toEqual([false, maxIdentityChanges])
    expect([second?.is_complete, second?.changes.length]).toEqual([true, 1])
  })
})

describe('reading the change log', () => {
  it('returns the changes after a number, page by page', async () => {
    await record('read')
    const number = await published('read')
    expect(await read(number - 1)).toEqual({
      status: 'current',
      position: number,
      changes: [{ number, type: 'principal', id: 'read' }],
    })
    expect(await read(number)).toEqual({ status: 'current', position: number, changes: [] })
    const page = await read(number - maxIdentityChanges - 1)
    expect([page.status, page.position, page.changes.length]).toEqual(['more', number - 1, maxIdentityChanges])
  })

  it('is not current while a committed change has no number', async () => {
    const { worker } = auth.context.database
    const holder = await worker.connect()
    try {
      await holder.query(`BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('auth.identity_changes', 0))`)
      const [log] = await auth.rows<{ latest: string }>('SELECT max(number) AS latest FROM identity_changes')
      const latest = Number(log?.latest)
      await record('without a number')
      expect(await numberIdentityChanges(worker, 1)).toBeUndefined()
      expect(await read(latest)).toEqual({ status: 'more', position: latest, changes: [] })
      await holder.query('COMMIT')
      expect(await published('without a number')).toBe(latest + 1)
    } finally {
      holder.release()
    }
  })

  it('reports that it was truncated, within the page too, and that it never had the number', async () => {
    for (const id of ['cut 1', 'cut 2', 'cut 3', 'cut 4']) await record(id)
    const latest = await published('cut 4')
    const first = await published('cut 1')
    await auth.rows(`DELETE FROM identity_changes WHERE subject_id = 'cut 3'`)
    const truncated = { status: 'truncated', position: latest, changes: [] }
    expect(await read(first)).toEqual(truncated)
    await auth.rows(`DELETE FROM identity_changes WHERE number <= $1`, [first])
    expect(await read(first - 1)).toEqual(truncated)
    expect(await read(latest + 1)).toEqual(truncated)
    expect((await read(latest - 1)).status).toBe('current')
  })
})
