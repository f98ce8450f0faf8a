import { randomBytes } from 'node:crypto'
import { afterAll, describe, expect, it } from '@jest/globals'
import { createSealer, startService } from '@wp/service'
import { eventually } from '@wp/testkit'
import { definition } from '../../src/index.ts'
import { queryAsWorker } from '../support/database.ts'
import { startDataService } from '../support/service.ts'

const service = await startDataService()
afterAll(() => service.stop())

const create = (config: object, provider = 'upload') =>
  service.request('POST', '/v1/data/sources', { body: { name: 'Badges', provider, config } })
const change = (id: string, config: object) => service.request('PATCH', `/v1/data/sources/${id}`, { body: { config } })

describe('a config with protected columns', () => {
  it.each<[string, object, string]>([
    ['key', { key: 'Card Name', drop: ['Card Name'] }, '/config/key'],
    ['title_field', { title_field: 'card_name', drop: ['Card Name'] }, '/config/title_field'],
    ['text_field', { text_field: 'Card Name', drop: ['Card Name'] }, '/config/text_field'],
    ['url_field', { url_field: 'Card Name', drop: ['Card Name'] }, '/config/url_field'],
    ['timestamp_field', { timestamp_field: 'User ID', pseudonymize: ['User ID'] }, '/config/timestamp_field'],
    ['fields', { fields: { 'User ID': { type: 'number' } }, pseudonymize: ['User ID'] }, '/config/fields/User ID/type'],
    ['fields', { fields: { 'Card Name': { type: 'string' } }, drop: ['Card Name'] }, '/config/fields/Card Name'],
    ['drop', { drop: ['a', 'USER-ID'], pseudonymize: ['User ID'] }, '/config/drop/1'],
    ['drop', { drop: [' '] }, '/config/drop/0'],
  ])('is refused when %s contradicts them: %j', async (_name, config, pointer) => {
    expect(await create(config)).toMatchObject({ status: 400, body: { errors: [{ pointer }] } })
  })

  it('is refused when the position of a sync would be a value of one', async () => {
    const url = 'http://127.0.0.1:9/rows'
    const since = { since: { field: 'User ID', parameter: 'after' }, pseudonymize: ['User ID'], url }
    expect(await create(since, 'http')).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/config/since/field' }] },
    })
    const body = {
      name: 'Badges',
      provider: 'postgres',
      integration_id: 'int_01h455vb4pex5vsknk084sn02q',
      config: { query: 'SELECT 1', cursor_field: 'User ID', pseudonymize: ['User ID'] },
    }
    expect(await service.request('POST', '/v1/data/sources', { body })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/config/cursor_field' }] },
    })
  })

  it('may have a pseudonymized key', async () => {
    expect((await create({ key: 'User ID', pseudonymize: ['User ID'] })).status).toBe(201)
  })

  it('changes its protected columns only while there are no records', async () => {
    const id = await service.createSource()
    expect((await change(id, { pseudonymize: ['User ID'], drop: ['Card Name'] })).status).toBe(200)
    await service.upload(id, 'text/csv', 'User ID,Card Name,Door\n1,x,y\n')
    for (const config of [{ pseudonymize: null }, { drop: null }, { drop: ['Card Name', 'Door'] }, { drop: [] }])
      expect(await change(id, config)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect((await change(id, { pseudonymize: ['user_id'], title_field: 'Door' })).status).toBe(200)
    const { body } = await service.get(`/v1/data/sources/${id}/records`)
    const keys = body.data.map(({ key }: { key: string }) => key)
    await service.request('POST', `/v1/data/sources/${id}/records/delete`, { body: { keys } })
    expect((await change(id, { drop: null })).status).toBe(200)
  })

  it('refuses an upload that was opened before they were changed', async () => {
    const id = await service.createSource()
    let send: (text: string) => void = () => {}
    let end = () => {}
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        send = (text) => controller.enqueue(new TextEncoder().encode(text))
        end = () => controller.close()
      },
    })
    const usage = async () =>
      (await queryAsWorker<{ used: number }>(service.env, 'SELECT used::float8 AS used FROM platform.quota_usage'))[0]
        ?.used
    const before = await usage()
    const response = service.upload(id, 'text/csv', body)
    send('User ID,Door\n')
    // The bytes of a body are reserved once the source is read.
    await eventually(async () => (await usage()) !== before)
    expect((await change(id, { pseudonymize: ['User ID'] })).status).toBe(200)
    send('17,a\n')
    end()
    expect(await response).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect((await service.get(`/v1/data/sources/${id}/records`)).body.data).toEqual([])
  })
})

it('a repeated upload with protected columns is answered with its first result', async () => {
  const id = await service.createSource({ config: { drop: ['person'] } })
  const send = (csv: string) => service.upload(id, 'text/csv', csv, { 'idempotency-key': `upload-${id}` })
  const first = await send('person,at\n17,a\n')
  expect(await send('person,at\n17,a\n')).toMatchObject({ status: 200, body: first.body })
  expect((await send('person,at\n18,a\n')).status).toBe(422)
})

// Last: the service has the old key only.
it('the key of pseudonyms stays the same when the key that seals it is changed, and values are sealed again', async () => {
  const id = await service.createSource({ config: { pseudonymize: ['person'] } })
  const pseudonymsBy = async (url: string) => {
    const headers = { 'x-workspace-scope': await service.assertion(service.caller), 'content-type': 'text/csv' }
    await fetch(`${url}/v1/data/sources/${id}/records`, { method: 'POST', headers, body: `person,at\n17,${url}\n` })
    const { body } = await service.get(`/v1/data/sources/${id}/records`)
    return new Set(body.data.map(({ data }: { data: { person: string } }) => data.person))
  }
  const sealed = async () =>
    (await queryAsWorker<{ sealed: string }>(service.env, 'SELECT sealed FROM pseudonym_keys')).map((row) => row.sealed)
  const before = await pseudonymsBy(service.url)
  const [old, next] = [String(service.env.KEK), randomBytes(32).toString('base64')]
  const replica = await startService(definition, { ...service.env, PORT: '0', KEK: next, KEK_PREVIOUS: old })
  try {
    const sealer = createSealer(next)
    await eventually(async () => (await sealed()).every((value) => !sealer.isStale(value)))
    expect(await pseudonymsBy(replica.url)).toEqual(before)
    expect(before.size).toBe(1)
  } finally {
    await replica.stop()
  }
})
