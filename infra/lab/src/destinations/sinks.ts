import { gunzipSync } from 'node:zlib'
import { Admin, Consumer } from '@platformatic/kafka'
import {
  findKafkaProblem,
  type KafkaBroker,
  type ReceivedRequest,
  type Receiver,
  respond,
  startKafkaBroker,
  startReceiver,
} from '@wp/testkit'
import { type SinkName, sinkNames } from '../names.ts'
import type { Random } from '../random.ts'
import type { HeldRecord } from './check-records.ts'

/** The other side of an event destination. */
export interface Sink {
  name: SinkName
  /** Returns the configuration of a destination for this content. */
  config(content: Content): Record<string, unknown>
  /** Returns all records that were written, in their order. */
  read(content: Content): Promise<HeldRecord[]>
}

export type Content = 'audit' | 'events'

/** The other sides of all destinations: a server for those with HTTP, and a broker of Kafka if it can be started. */
interface Sinks {
  all: readonly Sink[]
  caFile: string
  stop(): Promise<void>
}

/** Longest time that a request takes, so that a kill meets some that were received and not yet answered. */
const maxResponseMs = 300

/** @param names none means all */
export async function startSinks(
  names: readonly string[],
  random: Random,
  log: (line: string) => void,
): Promise<Sinks> {
  const wanted = sinkNames.filter((name) => names.length === 0 || names.includes(name))
  const receiver = await startReceiver({
    responder: (exchange) =>
      respond(200, { body: '{"text":"Success","code":0}', delayMs: random.between(1, maxResponseMs) })(exchange),
  })
  const kafka = wanted.includes('kafka') ? await tryKafka(log) : undefined
  const all = wanted.flatMap((name) => {
    if (name === 'kafka') return kafka === undefined ? [] : [createKafka(kafka)]
    return [createHttp[name](receiver)]
  })
  return {
    all,
    caFile: receiver.caFile,
    async stop() {
      await kafka?.stop()
      await receiver.close()
    },
  }
}

type HttpSinkName = Exclude<SinkName, 'kafka'>

const createHttp: Readonly<Record<HttpSinkName, (receiver: Receiver) => Sink>> = {
  s3: (receiver) => ({
    name: 's3',
    config: (content) => ({
      type: 's3',
      endpoint: receiver.url(`/s3-${content}`),
      region: 'eu-central-1',
      bucket: 'archive',
      access_key_id: 'AKIAEXAMPLE',
      secret_access_key: 'a-secret-of-some-length',
    }),
    // An object that is put again replaces the earlier one, and takes its place in the list of keys.
    read: async (content) => {
      const objects = new Map(requestsTo(receiver, `/s3-${content}/`).map((put) => [put.path, put]))
      const sorted = [...objects].sort(([a], [b]) => (a < b ? -1 : 1))
      return sorted.flatMap(([, put]) => parseLines(put).map(toHeld))
    },
  }),
  splunk_hec: (receiver) => ({
    name: 'splunk_hec',
    config: (content) => ({ type: 'splunk_hec', url: receiver.url(`/splunk-${content}`), token: 'a-token' }),
    read: async (content) =>
      requestsTo(receiver, `/splunk-${content}/`)
        .flatMap(parseLines)
        .map((line) => toHeld(line.event)),
  }),
  datadog: (receiver) => ({
    name: 'datadog',
    config: (content) => ({ type: 'datadog', url: receiver.url(`/datadog-${content}`), api_key: 'a-key' }),
    read: async (content) =>
      requestsTo(receiver, `/datadog-${content}/`)
        .flatMap((request): { message: string }[] => JSON.parse(textOf(request)))
        .map(({ message }) => toHeld(JSON.parse(message))),
  }),
  http: (receiver) => ({
    name: 'http',
    config: (content) => ({ type: 'http', url: receiver.url(`/http-${content}/log`) }),
    read: async (content) => requestsTo(receiver, `/http-${content}/`).flatMap(parseLines).map(toHeld),
  }),
}

const requestsTo = ({ received }: Receiver, prefix: string) => received.filter(({ path }) => path.startsWith(prefix))

function textOf({ body, headers }: ReceivedRequest): string {
  const isCompressed = headers['content-encoding'] === 'gzip' || headers['content-type'] === 'application/gzip'
  return (isCompressed ? gunzipSync(body) : body).toString('utf8')
}

const parseLines = (request: ReceivedRequest) =>
  textOf(request)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

/** Audit records are told apart by the request that they name, events by their id. */
const toHeld = (record: { seq: number; id: string; context?: { request_id: string } }): HeldRecord => ({
  seq: record.seq,
  mark: record.context?.request_id ?? record.id,
})

async function tryKafka(log: (line: string) => void): Promise<KafkaBroker | undefined> {
  const problem = findKafkaProblem()
  if (problem !== undefined) {
    log(`kafka: not tried, because ${problem}`)
    return undefined
  }
  const broker = await startKafkaBroker()
  const admin = new Admin({ clientId: 'lab', bootstrapBrokers: [broker.plain] })
  await admin.createTopics({ topics: ['audit', 'events'], partitions: 3, replicas: 1 })
  await admin.close()
  return broker
}

const createKafka = ({ secure, plain, username, password }: KafkaBroker): Sink => ({
  name: 'kafka',
  config: (content) => ({ type: 'kafka', brokers: [secure], topic: content, mechanism: 'PLAIN', username, password }),
  async read(content) {
    const consumer = new Consumer({ groupId: `lab-${content}`, clientId: 'lab', bootstrapBrokers: [plain] })
    const ends = (await consumer.listOffsets({ topics: [content] })).get(content) ?? []
    let left = ends.reduce((sum, end) => sum + Number(end), 0)
    const held: HeldRecord[] = []
    const stream = await consumer.consume({ topics: [content], mode: 'earliest', autocommit: false })
    if (left > 0)
      for await (const { value } of stream) {
        held.push(toHeld(JSON.parse(String(value))))
        left -= 1
        if (left === 0) break
      }
    await consumer.close(true)
    return held
  },
})
