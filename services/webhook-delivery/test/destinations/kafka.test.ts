import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { Admin, Consumer } from '@platformatic/kafka'
import { NewDestinationConfig } from '@wp/contracts'
import { createOutbound, type OutboundOptions } from '@wp/outbound'
import { findKafkaProblem, type KafkaBroker, startKafkaBroker, testAuthority } from '@wp/testkit'
import { splitSecrets } from '../../src/destinations/config-secrets.ts'
import { openSink } from '../../src/destinations/sinks/open-sink.ts'
import { writeBatch } from '../../src/destinations/sinks/write-batch.ts'

const problem = findKafkaProblem()
if (problem !== undefined) process.stderr.write(`The sink of Kafka is not tested: ${problem}\n`)
const describeWithKafka = problem === undefined ? describe : describe.skip

describeWithKafka('the sink of Kafka', () => {
  let broker: KafkaBroker
  beforeAll(async () => {
    broker = await startKafkaBroker()
    const admin = new Admin({ clientId: 'test', bootstrapBrokers: [broker.plain] })
    await admin.createTopics({ topics: ['audit', 'signed'], partitions: 3, replicas: 1 })
    const configs = [{ name: 'max.message.bytes', value: '1000' }]
    await admin.createTopics({ topics: ['small'], partitions: 1, replicas: 1, configs })
    await admin.close()
  })
  afterAll(() => broker?.stop())

  const loopback = () => ({ allowCidrs: ['127.0.0.1/32'], caFile: testAuthority().file })

  async function write(
    {
      topic = 'audit',
      password = broker.password,
      mechanism = 'PLAIN',
      ...options
    }: { topic?: string; password?: string; mechanism?: string } & OutboundOptions,
    { count = 1, size = 10 } = {},
  ) {
    const account = { mechanism, username: broker.username, password }
    const { config, secrets } = splitSecrets(
      NewDestinationConfig.parse({ type: 'kafka', brokers: [broker.secure], topic, ...account }),
    )
    const outbound = createOutbound(options)
    const limits = { timeoutMs: 60_000, connectTimeoutMs: 60_000, signal: new AbortController().signal }
    const sink = await openSink(config, secrets, { outbound, now: Date.now, ...limits })
    const records = Array.from({ length: count }, (_, index) => {
      const [seq, id] = [index + 1, `log_${index + 1}`]
      return {
        seq,
        id,
        kind: 'variable.set',
        occurredAt: new Date(0),
        text: JSON.stringify({ seq, x: 'x'.repeat(size) }),
      }
    })
    const batch = { destinationId: 'dest_1', workspaceId: 'ws_1', content: 'audit', isTest: false, records } as const
    return writeBatch(sink, batch).finally(() => {
      sink.close?.()
      outbound.close()
    })
  }

  it('writes all records of a workspace to one partition, in order, with id and seq as headers', async () => {
    expect(await write(loopback(), { count: 1_000, size: 1_500 })).toMatchObject({ written: 1_000, skipped: 0 })
    const consumer = new Consumer({ groupId: 'test', clientId: 'test', bootstrapBrokers: [broker.plain] })
    const stream = await consumer.consume({ topics: ['audit'], mode: 'earliest', autocommit: false })
    const read: { partition: number; key: string; headers: string[] }[] = []
    for await (const { partition, key, headers } of stream) {
      read.push({ partition, key: String(key), headers: [...headers].map(([name, value]) => `${name}=${value}`) })
      if (read.length === 1_000) break
    }
    await consumer.close(true)
    expect(new Set(read.map(({ partition, key }) => `${partition} ${key}`)).size).toBe(1)
    expect(read.map(({ headers }) => headers[1])).toEqual(
      Array.from({ length: 1_000 }, (_, index) => `seq=${index + 1}`),
    )
    expect(read[0]?.headers).toEqual(['id=log_1', 'seq=1', 'kind=variable.set', 'content=audit'])
  })

  it('leaves out a record that is too large for the topic', async () => {
    expect(await write({ ...loopback(), topic: 'small' }, { count: 2, size: 2_000 })).toMatchObject({ skipped: 2 })
  })

  it.each(['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'])(
    'signs in with %s, and not with a wrong password',
    async (mechanism) => {
      expect(await write({ ...loopback(), mechanism, topic: 'signed' })).toMatchObject({ written: 1 })
      const refused = write({ ...loopback(), mechanism, password: 'wrong' })
      await expect(refused).rejects.toMatchObject({ code: 'unauthorized' })
    },
  )

  it('says why the broker refuses', async () => {
    await expect(write({ ...loopback(), topic: 'absent' })).rejects.toMatchObject({ code: 'not_found' })
  })

  it('connects neither to an address that is not public nor to a broker without a trusted certificate', async () => {
    await expect(write({ caFile: testAuthority().file })).rejects.toMatchObject({ code: 'blocked_address' })
    await expect(write({ allowCidrs: ['127.0.0.1/32'] })).rejects.toMatchObject({ code: 'tls' })
  })
})
