import { type Connection, metadataV9, murmur2, produceV9 } from '@platformatic/kafka'
import type { ConfigOf, DestinationErrorCode } from '@wp/contracts'
import { OutboundError } from '@wp/outbound'
import { parseBroker } from '../config-secrets.ts'
import { type Broker, connectBroker } from './kafka-connection.ts'
import { toSinkError } from './post.ts'
import { type Sink, type SinkBatch, type SinkContext, SinkError, type SinkRecord } from './sink.ts'

/** Waits until all in-sync replicas have the batch. */
const acknowledgedByAll = -1

/**
 * Creates the sink of a Kafka topic. All records of a workspace have its id as key and go to one partition, in order.
 * The headers `id` and `seq` tell repetitions apart: a producer id would not, because a batch is repeated by another
 * process.
 */
export function createKafkaSink(config: ConfigOf<'kafka'>, password: string | undefined, context: SinkContext): Sink {
  const { mechanism, username } = config
  const sasl = mechanism === null ? undefined : { mechanism, username: username ?? '', password: password ?? '' }
  const connections: Connection[] = []
  const leaders = new Map<string, Promise<Leader>>()

  async function connect(broker: Broker): Promise<Connection> {
    const connection = await connectBroker(context, broker, sasl)
    connections.push(connection)
    return connection
  }

  return {
    // The default of brokers is 1 MiB a batch.
    maxRecordBytes: 900_000,
    maxRecords: 1_000,
    maxBytes: 900_000,
    async write(batch) {
      try {
        const found = leaders.get(batch.workspaceId) ?? findLeader(config, batch.workspaceId, connect)
        leaders.set(batch.workspaceId, found)
        const { connection, partition } = await found
        const messages = batch.records.map((record) => toMessage(record, batch, config.topic, partition))
        const response = await produceV9.api.async(connection, acknowledgedByAll, context.timeoutMs, messages, {})
        const [written] =
          response === true || response === false ? [] : (response.responses[0]?.partitionResponses ?? [])
        return `partition ${partition}, offset ${written?.baseOffset ?? 'unknown'}`
      } catch (error) {
        context.signal.throwIfAborted()
        throw toKafkaError(error)
      }
    },
    close() {
      for (const connection of connections) void connection.close().catch(() => {})
    },
  }
}

interface Leader {
  connection: Connection
  partition: number
}

/** Connects to the leader of the partition that the key of a workspace belongs to, as Kafka's own clients do. */
async function findLeader(
  { brokers, topic }: ConfigOf<'kafka'>,
  workspaceId: string,
  connect: (broker: Broker) => Promise<Connection>,
): Promise<Leader> {
  const first = await connectToAny(brokers, connect)
  const metadata = await metadataV9.api.async(first, [topic], false)
  const partitions = metadata.topics.find(({ name }) => name === topic)?.partitions ?? []
  if (partitions.length === 0) throw new SinkError('not_found', `There is no topic ${topic}`)
  const partition = (murmur2(workspaceId) & 0x7fffffff) % partitions.length
  const leaderId = partitions.find(({ partitionIndex }) => partitionIndex === partition)?.leaderId
  const leader = metadata.brokers.find(({ nodeId }) => nodeId === leaderId)
  if (leader === undefined) throw new SinkError('unavailable', `Partition ${partition} of ${topic} has no leader`)
  return { connection: await connect(leader), partition }
}

async function connectToAny(
  brokers: readonly string[],
  connect: (broker: Broker) => Promise<Connection>,
): Promise<Connection> {
  let failure: unknown
  for (const broker of brokers)
    try {
      return await connect(parseBroker(broker))
    } catch (error) {
      failure = error
    }
  throw failure
}

function toMessage(
  { seq, id, kind, occurredAt, text }: SinkRecord,
  { workspaceId, content }: SinkBatch,
  topic: string,
  partition: number,
) {
  const headers = Object.entries({ id, seq: String(seq), kind, content })
  return {
    topic,
    partition,
    key: Buffer.from(workspaceId),
    value: Buffer.from(text),
    headers: new Map(headers.map(([name, value]) => [Buffer.from(name), Buffer.from(value)])),
    timestamp: BigInt(occurredAt.getTime()),
  }
}

/** Codes of the errors of brokers by their names: https://kafka.apache.org/protocol.html#protocol_error_codes */
const brokerErrors: Readonly<Record<string, DestinationErrorCode | 'too_large'>> = {
  MESSAGE_TOO_LARGE: 'too_large',
  RECORD_LIST_TOO_LARGE: 'too_large',
  UNKNOWN_TOPIC_OR_PARTITION: 'not_found',
  TOPIC_AUTHORIZATION_FAILED: 'unauthorized',
  CLUSTER_AUTHORIZATION_FAILED: 'unauthorized',
  SASL_AUTHENTICATION_FAILED: 'unauthorized',
  UNSUPPORTED_SASL_MECHANISM: 'unauthorized',
  INVALID_TOPIC_EXCEPTION: 'refused',
  INVALID_RECORD: 'refused',
  POLICY_VIOLATION: 'refused',
}

function toKafkaError(error: unknown): SinkError {
  if (error instanceof SinkError) return error
  if (error instanceof OutboundError) return toSinkError(error)
  const errors = flatten(error)
  for (const { apiId, message } of errors) {
    const code = apiId === undefined ? undefined : brokerErrors[apiId]
    if (code !== undefined) return new SinkError(code, `The broker responded ${apiId}: ${message}`, { cause: error })
  }
  const { code, message = 'the connection failed' } = errors.at(-1) ?? {}
  if (code === 'PLT_KFK_AUTHENTICATION') return new SinkError('unauthorized', message, { cause: error })
  if (/CERT|_SSL_|_TLS_/.test(code ?? '')) return new SinkError('tls', message, { cause: error })
  if (code === 'PLT_KFK_TIMEOUT') return new SinkError('timeout', message, { cause: error })
  return new SinkError('unavailable', message, { cause: error })
}

interface BrokerError {
  message?: string
  code?: string | undefined
  apiId?: string | undefined
}

/** Returns an error, its causes and the errors that it groups, the innermost last. */
function flatten(error: unknown, depth = 0): BrokerError[] {
  if (typeof error !== 'object' || error === null || depth > 5) return []
  const { errors = [], cause } = error as { errors?: unknown[]; cause?: unknown } // an object, by the check above
  return [error, ...[...errors, cause].flatMap((each) => flatten(each, depth + 1))]
}
