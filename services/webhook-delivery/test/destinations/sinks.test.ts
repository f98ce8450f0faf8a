import { createHash, createHmac } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import { type DestinationConfig, NewDestinationConfig } from '@wp/contracts'
import { createOutbound } from '@wp/outbound'
import { type ReceivedRequest, respond, startReceiver } from '@wp/testkit'
import { splitSecrets } from '../../src/destinations/config-secrets.ts'
import { openSink } from '../../src/destinations/sinks/open-sink.ts'
import type { SinkBatch } from '../../src/destinations/sinks/sink.ts'
import { writeBatch } from '../../src/destinations/sinks/write-batch.ts'
import { recordsOf } from '../fixture/destinations.ts'

const receiver = await startReceiver()
const outbound = createOutbound({ allowCidrs: ['127.0.0.1/32'], caFile: receiver.caFile })
beforeEach(() => {
  receiver.setResponder(respond(200))
  receiver.clear()
})
afterAll(async () => {
  outbound.close()
  await receiver.close()
})

const occurredAt = new Date('2026-01-05T09:30:00.000Z')
const workspaceId = 'ws_01h455vb4pex5vsknk084sn02q'

const batchOf = (count: number, size = 10): SinkBatch => ({
  destinationId: 'dest_01h455vb4pex5vsknk084sn02q',
  workspaceId,
  content: 'audit',
  isTest: false,
  records: Array.from({ length: count }, (_, index) => {
    const [seq, id] = [index + 1, `log_${index + 1}`]
    return { seq, id, kind: 'variable.set', occurredAt, text: JSON.stringify({ seq, id, text: 'x'.repeat(size) }) }
  }),
})

async function write(given: object, batch: SinkBatch) {
  const { config, secrets } = splitSecrets(NewDestinationConfig.parse(given))
  const limits = { timeoutMs: 30_000, connectTimeoutMs: 30_000, signal: new AbortController().signal }
  const sink = await openSink(config as DestinationConfig, secrets, { outbound, now: Date.now, ...limits })
  return writeBatch(sink, batch)
}

describe('the sink of S3', () => {
  const secret = 'a-secret-of-some-length'
  const config = () => ({
    type: 's3',
    endpoint: receiver.url('/'),
    region: 'eu-central-1',
    bucket: 'archive',
    prefix: 'logs/',
    access_key_id: 'AKIAEXAMPLE',
    secret_access_key: secret,
  })

  it('puts one object with a valid signature, under a key of the first and last position', async () => {
    receiver.setResponder(({ request, response }) => {
      response.writeHead(isSigned(request, secret) ? 200 : 403).end()
    })
    expect(await write(config(), batchOf(3))).toMatchObject({ written: 3, skipped: 0 })
    const [put] = receiver.received
    expect(put).toMatchObject({
      method: 'PUT',
      path: `/archive/logs/${workspaceId}/audit/2026-01-05/0000000000000001-0000000000000003.ndjson.gz`,
    })
    expect(put && recordsOf(put).map(({ seq }) => seq)).toEqual([1, 2, 3])
  })

  it('puts the same object again when a batch is repeated', async () => {
    await write(config(), batchOf(3))
    await write(config(), batchOf(3))
    const [first, second] = receiver.received
    expect(second?.path).toBe(first?.path)
    expect(second?.body.equals(first?.body ?? Buffer.alloc(0))).toBe(true)
  })

  it('fails when the signature is rejected', async () => {
    receiver.setResponder(({ request, response }) => {
      response.writeHead(isSigned(request, 'another') ? 200 : 403).end('<Code>SignatureDoesNotMatch</Code>')
    })
    await expect(write(config(), batchOf(1))).rejects.toMatchObject({ code: 'unauthorized' })
  })
})

/** Recomputes a signature: https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html */
function isSigned({ method, path, headers, body }: ReceivedRequest, secret: string): boolean {
  const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
  const [, date = '', region = '', names = '', signature] =
    /Credential=[^/]+\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      String(headers.authorization),
    ) ?? []
  const signed = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`)
  if (headers['x-amz-content-sha256'] !== sha256(body)) return false
  const canonical = [method, path, '', signed.join(''), names, sha256(body)].join('\n')
  const scope = `${date}/${region}/s3/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', String(headers['x-amz-date']), scope, sha256(canonical)].join('\n')
  const key = ['s3', 'aws4_request'].reduce(
    (before, part) => hmac(before, part),
    hmac(hmac(`AWS4${secret}`, date), region),
  )
  return hmac(key, toSign).toString('hex') === signature
}

describe('the sink of Splunk', () => {
  const config = () => ({
    type: 'splunk_hec',
    url: receiver.url('/'),
    token: 'a-token-of-the-collector',
    index: 'main',
  })

  it('sends events with their position as indexed fields, and needs the code 0', async () => {
    receiver.setResponder(respond(200, { body: '{"text":"Success","code":0}' }))
    expect(await write(config(), batchOf(2))).toMatchObject({ written: 2 })
    const [request] = receiver.received
    expect(request?.path).toBe('/services/collector/event')
    expect(request?.headers.authorization).toBe('Splunk a-token-of-the-collector')
    expect(request && recordsOf(request)[1]).toMatchObject({
      time: occurredAt.getTime() / 1000,
      index: 'main',
      fields: { seq: 2, id: 'log_2', content: 'audit' },
      event: { seq: 2 },
    })
    receiver.setResponder(respond(200, { body: '<html>sign in</html>' }))
    await expect(write(config(), batchOf(1))).rejects.toMatchObject({ code: 'refused' })
  })
})

describe('the sink of Datadog', () => {
  const config = () => ({ type: 'datadog', url: receiver.url('/'), api_key: 'a-key-of-the-intake', service: 'audit' })

  it('splits a batch by size and leaves out what no request may contain', async () => {
    receiver.setResponder(respond(202))
    const batch = batchOf(12, 300_000)
    const large = batchOf(13, 500_000).records.slice(12)
    expect(await write(config(), { ...batch, records: [...batch.records, ...large] })).toMatchObject({
      written: 12,
      skipped: 1,
    })
    const logs = receiver.received.map(({ body }) => JSON.parse(gunzipSync(body).toString('utf8')))
    expect(logs.map(({ length }) => length)).toEqual([6, 6])
    expect(logs.flat()[11]).toMatchObject({ ddsource: 'workspace-platform', service: 'audit', seq: 12, id: 'log_12' })
    expect(receiver.received[0]).toMatchObject({
      path: '/api/v2/logs',
      headers: { 'dd-api-key': 'a-key-of-the-intake' },
    })
  })
})

describe('the sink of HTTP', () => {
  it('sends a JSON array or lines, with the header fields', async () => {
    const config = { type: 'http', url: receiver.url('/log?a=b'), headers: { 'x-key': 'value' } }
    await write({ ...config, body: 'array' }, batchOf(2))
    await write(config, batchOf(2))
    const [array, lines] = receiver.received
    expect(JSON.parse(String(array?.body))).toMatchObject([{ seq: 1 }, { seq: 2 }])
    expect(lines && recordsOf(lines)).toMatchObject([{ seq: 1 }, { seq: 2 }])
    expect(lines?.headers).toMatchObject({ 'x-key': 'value', 'content-type': 'application/x-ndjson' })
  })
})
