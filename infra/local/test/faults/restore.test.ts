import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { migrate, provision, restoreDatabase, takeSnapshot } from '@wp/database'
import {
  eventually as eventuallyIn,
  type Nats,
  type Postgres,
  type Receiver,
  respond,
  startNats,
  startPostgres,
  startReceiver,
  startTestFleet,
  type TestFleet,
  type TestWorkspace,
  testAuthority,
} from '@wp/testkit'
import { deliveriesTo, queryDatabase, sendAs, waitForDeliveries, withoutDuplicates } from './fixture/fault-fleet.ts'

const services = ['auth', 'data', 'webhook-delivery', 'audit'] as const
const env = {
  'webhook-delivery': {
    RETRY_SCHEDULE_SECONDS: Array.from({ length: 40 }, () => '0.5').join(),
    HOLD_SCHEDULE_SECONDS: '0.5',
  },
}

let nats: Nats
let postgres: Postgres
let receiver: Receiver
let fleet: TestFleet
let folder: string
beforeAll(async () => {
  ;[nats, postgres, receiver] = await Promise.all([startNats(), startPostgres(), startReceiver()])
  folder = await mkdtemp(join(tmpdir(), 'wp-restore-'))
  const outbound = { OUTBOUND_CA_FILE: testAuthority().file }
  fleet = await startTestFleet({ services, env, outbound, natsUrl: nats.url, postgresUrl: postgres.url })
})
afterAll(async () => {
  await fleet?.stop()
  await receiver?.close()
  await Promise.all([nats?.stop(), postgres?.stop()])
  await rm(folder, { recursive: true, force: true })
})

const eventually = <T>(condition: () => Promise<T> | T) => eventuallyIn(condition)

const send = (as: string, method: string, path: string, body?: unknown) => sendAs(fleet, as, method, path, body)

interface Key {
  key_id: string
  api_key: string
}

const createKeys = (token: string, count: number): Promise<Key[]> =>
  Promise.all(Array.from({ length: count }, () => send(token, 'POST', '/v1/auth/api-key', {})))
const ids = (keys: readonly Key[]) => keys.map(({ key_id }) => key_id)

/** @param from the FROM clause of the query, with its condition */
async function count(service: (typeof services)[number], from: string): Promise<number> {
  const url = fleet.databases.get(service)?.adminUrl
  const [row] = await queryDatabase<{ count: number }>(url, `SELECT count(*)::integer AS count FROM ${from}`)
  return row?.count ?? Number.NaN
}

const countUnpublished = () => count('auth', 'platform.outbox WHERE published_at IS NULL')

/** Writes the snapshots that `npm run backup` writes. */
async function backupDatabases(): Promise<void> {
  const databases = [...fleet.databases].reverse()
  for (const [service, { adminUrl }] of databases) {
    const snapshot = await takeSnapshot(adminUrl)
    await snapshot.dump(join(folder, service))
    await snapshot.close()
  }
}

/**
 * Starts a new server at the address of the lost one, then does the work of `npm run db:migrate` and `npm run restore`.
 */
async function restoreDatabases(): Promise<void> {
  const { password } = new URL(postgres.url)
  postgres = await startPostgres({ port: postgres.port })
  await queryDatabase(postgres.url, `ALTER ROLE postgres PASSWORD '${password}'`)
  for (const [service, { name, adminUrl, url, workerUrl, ownerUrl }] of fleet.databases) {
    const [app, worker, owner] = [url, workerUrl, ownerUrl].map((address) => new URL(address).password)
    const passwords = { app: app ?? '', worker: worker ?? '', owner: owner ?? '' }
    const superuser = new URL(adminUrl)
    superuser.pathname = '/postgres'
    await provision({ adminUrl: superuser.href, service, database: name, passwords })
    const dir = join(import.meta.dirname, '../../../../services', service, 'prisma/migrations')
    await migrate({ ownerUrl, dir })
    await restoreDatabase(adminUrl, join(folder, service))
  }
}

/** Uploads two documents that the search test finds. */
async function upload({ apiKey }: TestWorkspace): Promise<void> {
  const config = { key: 'key', title_field: 'title', text_field: 'text' }
  const source = { name: 'Notes', provider: 'upload', config }
  const { data_source_id: id } = await send(apiKey, 'POST', '/v1/data/sources', source)
  const rows = ['harbour', 'lighthouse'].map((title) => ({ key: title, title, text: `All about the ${title}` }))
  await send(apiKey, 'POST', `/v1/data/sources/${id}/records`, rows)
}

const search = async (apiKey: string): Promise<string[]> =>
  (await send(apiKey, 'GET', '/v1/data/search?q=lighthouse')).map(({ title }: { title: string }) => title)

describe('the loss of all databases and of the broker', () => {
  it('is recovered from a backup: keys work, pending deliveries complete, and no event is lost or misdelivered', async () => {
    const { owner, stranger } = fleet
    const [token, strangerToken] = [await fleet.token(owner), await fleet.token(stranger)]
    const subscribe = (as: string, path: string) =>
      send(as, 'POST', '/v1/webhooks/webhooks', {
        endpoint: receiver.url(path),
        events: ['API_KEY_CREATED'],
        secret: 'a secret',
      })
    await Promise.all([subscribe(token, '/owner'), subscribe(strangerToken, '/stranger'), upload(owner)])
    expect(await search(owner.apiKey)).toEqual(['lighthouse'])

    const [delivered, strangerKeys] = await Promise.all([createKeys(token, 3), createKeys(strangerToken, 3)])
    await Promise.all([
      waitForDeliveries(receiver, '/owner', ids(delivered)),
      waitForDeliveries(receiver, '/stranger', ids(strangerKeys)),
    ])
    const isSettled = async () => (await count('webhook-delivery', `deliveries WHERE status <> 'delivered'`)) === 0
    await eventually(isSettled)

    receiver.setResponder(respond(503), '/owner')
    const pending = await createKeys(token, 3)
    await waitForDeliveries(receiver, '/owner', ids(pending))
    await fleet.member('webhook-delivery').stop()
    const onTheBroker = await createKeys(token, 3)
    await eventually(async () => (await countUnpublished()) === 0)
    await nats.kill('SIGTERM')
    const inTheOutbox = await createKeys(token, 2)
    expect(await countUnpublished()).toBeGreaterThan(0)

    await backupDatabases()
    const [lost] = await createKeys(token, 1)
    receiver.setResponder(respond(200), '/owner')
    await fleet.restart('webhook-delivery')
    await eventually(isSettled)

    for (const name of ['gateway', ...services] as const) await fleet.member(name).stop()
    await Promise.all([postgres.stop(), nats.restart({ wipe: true })])
    await restoreDatabases()
    for (const name of [...services, 'gateway'] as const) await fleet.restart(name)

    const all = [...delivered, ...pending, ...onTheBroker, ...inTheOutbox]
    const deliveries = await waitForDeliveries(receiver, '/owner', ids(all))
    await eventually(isSettled)
    expect(
      withoutDuplicates(deliveries)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(ids(all).sort())
    const countDeliveries = ({ key_id }: Key) =>
      deliveriesTo(receiver, '/owner').filter(({ id }) => id === key_id).length
    expect(delivered.map(countDeliveries)).toEqual([1, 1, 1])
    expect(
      deliveriesTo(receiver, '/stranger')
        .map(({ id }) => id)
        .sort(),
    ).toEqual(ids(strangerKeys).sort())

    // All events in the outbox are handled again, without creating a second delivery.
    const events = await count('auth', `platform.outbox WHERE kind = 'API_KEY_CREATED'`)
    await eventually(async () => (await countUnpublished()) === 0)
    await eventually(async () => (await count('webhook-delivery', 'platform.inbox')) === events)
    expect(await count('webhook-delivery', 'deliveries')).toBe(all.length + strangerKeys.length)

    const statusFor = async (as: string) => (await fleet.request('GET', '/v1/data/sources', { as })).status
    const keys = [owner.apiKey, stranger.apiKey, ...all.map(({ api_key }) => api_key)]
    expect(await Promise.all(keys.map(statusFor))).toEqual(keys.map(() => 200))
    expect([await statusFor(token), await statusFor(lost?.api_key ?? '')]).toEqual([200, 401])
    expect(await search(owner.apiKey)).toEqual(['lighthouse'])

    const listCreated = (apiKey: string) => send(apiKey, 'GET', '/v1/audit/logs?action=api_key.created&limit=100')
    await eventually(async () => (await listCreated(owner.apiKey)).length === all.length)
    expect(await send(owner.apiKey, 'GET', '/v1/audit/logs/verify')).toMatchObject({ status: 'ok' })

    const [later] = await createKeys(token, 1)
    await waitForDeliveries(receiver, '/owner', [later?.key_id ?? ''])
  })
})
