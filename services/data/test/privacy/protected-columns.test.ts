import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createLogger } from '@wp/service'
import { eventually, startTestFleet, type TestFleet, type TestWorkspace } from '@wp/testkit'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { writeWorkbook } from '../intake/write-workbook.ts'
import { findPlaintext } from '../support/find-plaintext.ts'
import { closeSites, respond, respondJson, startSite } from '../support/sources/http-site.ts'
import { startObjectStore } from '../support/sources/object-store.ts'
import { createTables, type PostgresTables } from '../support/sources/postgres-tables.ts'

let fleet: TestFleet
let tables: PostgresTables
const logged: string[] = []

beforeAll(async () => {
  const destination = { write: (line: string) => void logged.push(line) }
  fleet = await startTestFleet({
    services: ['auth', 'data', 'integrations'],
    env: { data: { ENVIRONMENT: 'development' } },
    logger: (name) => createLogger(name, 'debug', destination),
  })
  tables = await createTables()
})
afterAll(async () => {
  closeSites()
  await fleet.stop()
  await tables.drop()
})

/** A text user, a numeric one, and the holder of a card: as a whole, and the stems that a search index would have. */
const [user, employee, holder] = ['zqxuser7731', 918_273_645_546, 'Wilhelmine Zyxwolters']
const plaintext = [user, String(employee), 'wilhelmin', 'zyxwolt']
const config = { pseudonymize: ['User ID', 'Employee'], drop: ['Card Name'] }
const header = ['User ID', 'Employee', 'Card Name', 'Door', 'Count']
type Cell = string | number | null
const rows = Array.from({ length: 31 }, (_, n): Cell[] =>
  n === 10 ? [null, null, null, 'South', 3] : [user, employee, holder, 'North', n],
)
/** Has the name in a column of numbers, as a row with a missing cell does. */
const shifted: Cell[] = [user, employee, null, 'North', holder]

const objects = (all: readonly Cell[][]) =>
  all.map((row) => Object.fromEntries(row.map((cell, column) => [header[column] ?? '', cell])))
const csv = [header, ...rows, shifted, ['', '', `Total ${holder}`, '', '435']].map((row) => row.join(';')).join('\n')
const files: [string, string, string | Uint8Array][] = [
  ['CSV', 'text/csv', csv],
  ['JSON', 'application/json', JSON.stringify(objects([...rows, shifted]))],
  [
    'NDJSON',
    'application/x-ndjson',
    objects([...rows, shifted])
      .map((row) => JSON.stringify(row))
      .join('\n'),
  ],
  [
    'XLSX',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    writeWorkbook([{ name: 'Swipes', rows: [header, ...rows, shifted] }]),
  ],
  [
    'Parquet',
    'application/vnd.apache.parquet',
    new Uint8Array(
      parquetWriteBuffer({
        columnData: header.map((name, column) => ({
          name,
          data: rows.map((row) => row[column] ?? null),
          type: name === 'Employee' || name === 'Count' ? ('DOUBLE' as const) : ('STRING' as const),
        })),
      }),
    ),
  ],
]

const plaintextIn = (text: string) => plaintext.filter((plain) => text.toLowerCase().includes(plain))

async function send(method: string, path: string, options: object = {}, workspace: TestWorkspace = fleet.owner) {
  const response = await fleet.request(method, path, { as: workspace.apiKey, ...options })
  expect(plaintextIn(JSON.stringify(response.body))).toEqual([])
  return response
}

const createSource = async (fields: object = {}, workspace?: TestWorkspace): Promise<string> => {
  const body = { name: 'Swipes', provider: 'upload', config, ...fields }
  const response = await fleet.request('POST', '/v1/data/sources', { as: (workspace ?? fleet.owner).apiKey, body })
  expect(response.status).toBe(201)
  return response.body.data.data_source_id
}

const upload = (id: string, type: string, rawBody: string | Uint8Array, workspace?: TestWorkspace) =>
  send('POST', `/v1/data/sources/${id}/records`, { rawBody, headers: { 'content-type': type } }, workspace)

const recordsOf = async (id: string) =>
  (await send('GET', `/v1/data/sources/${id}/records?limit=100`)).body.data.map(
    ({ data }: { data: Record<string, unknown> }) => data,
  )

async function sync(id: string) {
  const { body } = await send('POST', `/v1/data/sources/${id}/sync/start`, { body: {} })
  return eventually(async () => {
    const found = (await send('GET', `/v1/data/syncs/${body.data.id}`)).body.data
    return found.finished_at !== null && found
  })
}

/** Searches the databases of all services and the log. */
async function expectNotStored() {
  for (const { adminUrl } of fleet.databases.values()) expect(await findPlaintext(adminUrl, plaintext)).toEqual([])
  expect(logged.length).toBeGreaterThan(0)
  expect(plaintextIn(logged.join('\n'))).toEqual([])
}

async function expectNoPlaintext(id: string) {
  await expectNotStored()
  for (const query of [user, String(employee), holder]) {
    const body = { query, data_source_ids: [id] }
    expect((await fleet.request('POST', '/v1/data/search', { as: fleet.owner.apiKey, body })).body.data).toEqual([])
  }
  const source = (await send('GET', `/v1/data/sources/${id}`)).body.data
  const types = Object.fromEntries(source.schema.map(({ name, type }: { name: string; type: string }) => [name, type]))
  expect(types).toEqual({ 'User ID': 'string', Employee: 'string', Door: 'string', Count: 'number' })
}

const pseudonym = expect.stringMatching(/^p_[\w-]{22}$/)

async function expectProtected(id: string) {
  const records = await recordsOf(id)
  expect(records).toHaveLength(31)
  expect(records).toContainEqual({ 'User ID': null, Employee: null, Door: 'South', Count: 3 })
  const persons = records.filter(({ Door }: { Door: string }) => Door === 'North')
  expect(persons).toHaveLength(30)
  for (const { Count, ...person } of persons) {
    expect(person).toEqual({ 'User ID': pseudonym, Employee: pseudonym, Door: 'North' })
    expect(person).toEqual({ 'User ID': persons[0]['User ID'], Employee: persons[0].Employee, Door: 'North' })
  }
  await expectNoPlaintext(id)
  return persons[0]
}

describe('protected columns of an upload', () => {
  it.each(files)(
    'leave no value in the database, the log, searches and refused rows when the file is %s',
    async (_name, type, body) => {
      const id = await createSource()
      const preview = await send('POST', `/v1/data/preview?data_source_id=${id}`, {
        rawBody: body,
        headers: { 'content-type': type },
      })
      expect(preview.status).toBe(200)
      const response = await upload(id, type, body)
      expect(response.status).toBe(200)
      expect(response.body.data.counts).toMatchObject({ created: 31 })
      for (const row of response.body.data.bad_rows) expect(row).not.toHaveProperty('value')
      if (type !== 'application/vnd.apache.parquet') expect(response.body.data.counts.failed).toBeGreaterThan(0)
      await expectProtected(id)
    },
  )

  it('have the same pseudonyms in every format and source of a workspace, and others in another workspace', async () => {
    const text = await createSource({ config: { pseudonymize: ['person'] } })
    await upload(text, 'text/csv', 'person,at\n17,a\n 17 ,b\n17.0,c\n0017,d\nA17,e\n')
    const list = await createSource({ config: { pseudonymize: ['Person'], key: 'person' } })
    await upload(list, 'application/json', '[{"person": 17}]')
    const [json] = await recordsOf(list)
    const byTime = new Map(
      (await recordsOf(text)).map(({ at, person }: { at: string; person: string }) => [at, person]),
    )
    for (const time of ['a', 'b', 'c', 'd']) expect(byTime.get(time)).toBe(json.person)
    expect(byTime.get('e')).not.toBe(json.person)

    const foreign = await createSource({ config: { pseudonymize: ['person'] } }, fleet.stranger)
    await upload(foreign, 'text/csv', 'person,at\n17,a\n', fleet.stranger)
    const { body } = await send('GET', `/v1/data/sources/${foreign}/records`, {}, fleet.stranger)
    expect(body.data[0].data.person).toEqual(pseudonym)
    expect(body.data[0].data.person).not.toBe(json.person)
  })

  it('are keys by their pseudonyms, and do not tell rows apart when they are dropped', async () => {
    const keyed = await createSource({ config: { pseudonymize: ['User ID'], key: 'User ID' } })
    for (const door of ['a', 'b']) await upload(keyed, 'text/csv', `User ID,Door\n${user},${door}\n`)
    const { body } = await send('GET', `/v1/data/sources/${keyed}/records`)
    expect(body.data).toMatchObject([{ key: pseudonym, data: { 'User ID': pseudonym, Door: 'b' } }])

    const keyless = await createSource({ config: { drop: ['Card Name'] } })
    const swipes = (one: string, other: string) => `Card Name,Door\n${one},a\n${other},a\n`
    expect((await upload(keyless, 'text/csv', swipes(holder, 'Other'))).body.data.counts).toMatchObject({ created: 2 })
    // The rows are equal but for the name: they are the first and the second row of their content.
    expect((await upload(keyless, 'text/csv', swipes('Third', 'Fourth'))).body.data).toMatchObject({
      counts: { seen: 2, created: 0, updated: 0 },
      record_count: 2,
    })
  })

  it.each([
    ['CSV', 'text/csv', 'person,n\n0417,1\n417,2\n00417,x\n418,4\n'],
    [
      'JSON',
      'application/json',
      '[{"person":"0417","n":1},{"person":417,"n":2},{"person":"00417","n":"x"},{"person":418,"n":4}]',
    ],
  ])(
    'are keys with their leading zeros, and one person with a warning, when the file is %s',
    async (_name, type, body) => {
      const fields = { n: { type: 'number' } }
      const id = await createSource({ config: { pseudonymize: ['person'], key: 'person', fields } })
      const stored = (await upload(id, type, body.replace('"x"', '3').replace('x', '3'))).body.data
      expect(stored).toMatchObject({ record_count: 4, warnings: [{ code: 'leading_zeros_differ', column: 'person' }] })
      expect(JSON.stringify(stored.warnings)).toContain('has 1 number with')
      expect(JSON.stringify(stored.warnings)).not.toContain('417')
      expect(new Set((await recordsOf(id)).map(({ person }: { person: string }) => person)).size).toBe(2)
      // The record of a refused row is kept, and no other.
      const path = `/v1/data/sources/${id}/records?mode=full&allow_deletions=true`
      const kept = body.replace(/\n418,4|,\{"person":418,"n":4\}/, '')
      const { counts } = (await send('POST', path, { rawBody: kept, headers: { 'content-type': type } })).body.data
      expect(counts).toMatchObject({ seen: 3, failed: 1, created: 0, updated: 0, deleted: 1 })
    },
  )

  it('read texts that stand for no value as no value', async () => {
    const id = await createSource({ config: { pseudonymize: ['person'], format: { nulls: ['N/A'] } } })
    await upload(id, 'text/csv', 'person,at\nN/A,a\nx,b\n')
    expect((await recordsOf(id)).map(({ person }: { person: unknown }) => person)).toContain(null)
  })

  it('protect a second column of the same name, and names in another spelling', async () => {
    const id = await createSource()
    await upload(id, 'text/csv', `user_id,USER ID,Employee,cardname,Door\n${user},${user},${employee},${holder},x\n`)
    const [record] = await recordsOf(id)
    expect(record).toEqual({ user_id: pseudonym, 'USER ID': pseudonym, Employee: pseudonym, Door: 'x' })
    const twice = await createSource({ config: { pseudonymize: ['User ID'] } })
    await upload(twice, 'text/csv', `User ID,User ID,Door\n${user},${user},x\n`)
    expect((await recordsOf(twice))[0]).toEqual({ 'User ID': pseudonym, 'User ID_2': pseudonym, Door: 'x' })
  })

  it.each([
    [
      'a file with the column under another name',
      'text/csv',
      `Person,Employee,Card Name\n${user},${employee},${holder}\n`,
    ],
    ['a file without a header', 'text/csv', `${user},${employee},${holder}\n${user},${employee},${holder}\n`],
    ['JSON without the column', 'application/json', JSON.stringify([{ person: user, name: holder }])],
    ['JSON that ends in the middle of a name', 'application/json', `[{"User ID": "${user}", ${holder} : 1}]`],
    ['a text', 'text/plain', `${user} ${holder}`],
    ['a page', 'text/html', `<title>${holder}</title><p>${user}</p>`],
    ['columns that spaces align', 'text/csv', `User  Employee\n${`${user}  ${employee}\n`.repeat(5)}`],
  ])('refuse %s without quoting it', async (_name, type, body) => {
    const id = await createSource()
    const response = await upload(id, type, body)
    expect([400, 415]).toContain(response.status)
    expect(await recordsOf(id)).toEqual([])
    await expectNotStored()
  })
})

describe('protected columns of a feed', () => {
  it.each([
    ['JSON', () => respondJson(objects([...rows, shifted]))],
    ['CSV', () => respond('text/csv', csv)],
  ])('leave no value when it sends %s', async (_name, handler) => {
    const site = await startSite({ '/rows': handler() })
    const id = await createSource({ provider: 'http', config: { ...config, url: `${site.url}/rows` } })
    const done = await sync(id)
    expect(done).toMatchObject({ status: 'finished', counts: { created: 31 } })
    for (const row of done.bad_rows) expect(row).not.toHaveProperty('value')
    await expectProtected(id)
  })

  it('leave no value in the error of a sync when the feed cannot be read', async () => {
    const site = await startSite({
      '/rows': respond('application/json', `[{"User ID": "${user}"}, {"${holder}" ${holder}`),
    })
    const id = await createSource({ provider: 'http', config: { ...config, url: `${site.url}/rows` } })
    expect(await sync(id)).toMatchObject({ status: 'failed' })
    await expectNotStored()
  })
})

describe('protected columns of a bucket', () => {
  it('leave no value, and an object without them is not read', async () => {
    const store = await startObjectStore()
    try {
      store.put('swipes.csv', csv)
      store.put('renamed.csv', `Person;Holder\n${user};${holder}\n`)
      store.put('note.txt', `${holder} ${user}`)
      const body = {
        provider: 's3',
        name: 'Swipes in a bucket',
        secrets: { secret_access_key: store.secretAccessKey },
        config: { endpoint: store.url, region: store.region, bucket: store.bucket, access_key_id: store.accessKeyId },
      }
      const made = await fleet.request('POST', '/v1/integrations/integrations', { as: fleet.owner.apiKey, body })
      expect(made.status).toBe(201)
      const integration_id = made.body.data.integration_id
      const id = await createSource({ provider: 's3', integration_id, config })
      const done = await sync(id)
      expect(done).toMatchObject({ status: 'finished', counts: { created: 31 } })
      expect(new Set(done.bad_rows.map(({ part }: { part: string }) => part))).toEqual(
        new Set(['swipes.csv', 'renamed.csv', 'note.txt']),
      )
      await expectProtected(id)
    } finally {
      await store.close()
    }
  })
})

describe('protected columns of a query', () => {
  const integrationOf = async () => {
    const url = new URL(tables.url)
    const body = {
      provider: 'postgres',
      name: `Tables ${Math.random()}`,
      secrets: { password: decodeURIComponent(url.password) },
      config: {
        host: url.hostname,
        port: Number(url.port),
        database: url.pathname.slice(1),
        user: decodeURIComponent(url.username),
        ssl: 'disable',
      },
    }
    const response = await fleet.request('POST', '/v1/integrations/integrations', { as: fleet.owner.apiKey, body })
    expect(response.status).toBe(201)
    return response.body.data.integration_id
  }
  const createQuery = async (query: string, more: object = {}) =>
    createSource({ provider: 'postgres', integration_id: await integrationOf(), config: { ...config, query, ...more } })

  beforeAll(async () => {
    await tables.run(
      'CREATE TABLE swipes ("User ID" text, "Employee" bigint, "Card Name" text, "Door" text, "Count" int)',
    )
    for (const row of rows) await tables.run('INSERT INTO swipes VALUES ($1, $2, $3, $4, $5)', row)
  })

  it('leave no value', async () => {
    const id = await createQuery('SELECT * FROM swipes')
    expect(await sync(id)).toMatchObject({ status: 'finished', counts: { created: 31 } })
    await expectProtected(id)
  })

  it('are keys with their leading zeros, and one person', async () => {
    const people = { pseudonymize: ['id'], drop: [], key: 'id' }
    const id = await createQuery("SELECT id FROM (VALUES ('0417'), ('417')) AS people (id)", people)
    expect(await sync(id)).toMatchObject({ status: 'finished', counts: { created: 2 } })
    const [one, other] = await recordsOf(id)
    expect(one).toEqual(other)
  })

  it('leave no value in an error of the server, which quotes it', async () => {
    const id = await createQuery('SELECT *, "Card Name"::int AS broken FROM swipes')
    const failed = await sync(id)
    expect(failed).toMatchObject({ status: 'failed', error: { message: expect.stringContaining('22P02') } })
    await expectNotStored()
  })

  it('refuse a result without one of them', async () => {
    const id = await createQuery('SELECT "User ID", "Employee", "Card Name" AS holder FROM swipes')
    expect(await sync(id)).toMatchObject({ status: 'failed', error: { code: 'schema' } })
    expect(await recordsOf(id)).toEqual([])
  })
})

it('the search for plain values finds them when no column is protected', async () => {
  const id = await createSource({ config: {} })
  const response = await fleet.request('POST', `/v1/data/sources/${id}/records`, {
    as: fleet.owner.apiKey,
    rawBody: csv,
    headers: { 'content-type': 'text/csv' },
  })
  expect(response.status).toBe(200)
  const found = await findPlaintext(fleet.databases.get('data')?.adminUrl ?? '', plaintext)
  expect(new Set(found.map(({ text }) => text))).toEqual(new Set(plaintext))
  expect(found.map(({ table }) => table)).toContain('public.data_records')
})
