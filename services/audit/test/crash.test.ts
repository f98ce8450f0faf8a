import { randomBytes, randomInt } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { connectDatabase, newId } from '@wp/database'
import { type Bus, connectBus, ensureStream, publishEvent } from '@wp/events'
import {
  createTemporaryKeys,
  createTestDatabase,
  eventually,
  type Fleet,
  startFleet,
  type TestDatabase,
  testNats,
} from '@wp/testkit'
import { Client } from 'pg'
import { createVerifications } from '../src/verifications.ts'
import { eventOf } from './fixture/audit.ts'

let fleet: Fleet
let database: TestDatabase
let admin: Client
let bus: Bus
let keysDirectory: string

beforeAll(async () => {
  const { url: natsUrl, shard } = testNats()
  const log = { warn() {}, error() {} }
  bus = await connectBus({ servers: natsUrl, shard, name: 'test', log })
  await eventually(() => bus.isConnected)
  await ensureStream(bus, { maxBytes: 64 * 1024 ** 2 })
  database = await createTestDatabase('audit')
  admin = new Client({ connectionString: database.adminUrl })
  await admin.connect()
  keysDirectory = await createTemporaryKeys()
  const kek = randomBytes(32).toString('base64')
  fleet = await startFleet({
    mode: 'processes',
    services: ['audit'],
    excluded: ['gateway'],
    settings: { shard, location: 'TST', natsUrl, keysDirectory, kek, logLevel: 'silent', outbound: {} },
    env: { audit: { ACK_WAIT_SECONDS: '1' } },
    database: async () => database,
  })
}, 30_000)
afterAll(async () => {
  await fleet?.stop()
  await Promise.all([bus.close(), admin.end()])
  await database.drop()
  await rm(keysDirectory, { recursive: true, force: true })
})

const recorded = async () => {
  const { rows } = await admin.query<{ count: number }>('SELECT count(*)::int AS count FROM audit_records')
  return rows[0]?.count ?? 0
}

it('killed again and again while it records, the service loses nothing and doubles nothing', async () => {
  const workspaces = [newId('ws'), newId('ws'), newId('ws')]
  const told: string[] = []
  const kills = 4
  const each = 400
  for (let kill = 1; kill <= kills; kill += 1) {
    const goal = (kill - 1) * each + randomInt(50, each - 100)
    const telling = (async () => {
      for (let n = 0; n < each; n += 20)
        await Promise.all(
          Array.from({ length: 20 }, async (_, index) => {
            const event = eventOf(workspaces[index % 3] ?? '')
            told.push(event.id.replace('evt_', 'log_'))
            await publishEvent(bus, 'data', event)
          }),
        )
    })()
    await eventually(async () => (await recorded()) >= goal, { timeoutMs: 10_000, intervalMs: 1 })
    await fleet.member('audit').kill()
    await telling
    await fleet.restart('audit')
  }
  await eventually(async () => (await recorded()) >= told.length, { timeoutMs: 15_000, description: 'all records' })
  const { rows } = await admin.query<{ id: string }>('SELECT id FROM audit_records')
  expect(rows.map(({ id }) => id).sort()).toEqual(told.sort())
  expect((await admin.query('SELECT FROM platform.dead_events')).rowCount).toBe(0)
  const reading = connectDatabase({ ...database, prisma: () => ({}), shard: 'test' })
  const verifications = createVerifications(reading)
  let checked = 0
  for (const workspace of workspaces) {
    const verdict = await verifications.of(workspace, {})
    expect(verdict).toMatchObject({ status: 'ok', problems: [] })
    checked += verdict.checked
  }
  await reading.close()
  expect(checked).toBe(kills * each)
}, 60_000)
