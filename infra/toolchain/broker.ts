// `node infra/toolchain/broker.ts <durable>=<filter>…` creates the event stream of the shard if it is missing, and
// creates or updates durable consumers. For brokers with users, where services may do neither.
import { allowAtomicBatches, connectBus, provisionBroker } from '@wp/events'
import { runCommand } from '@wp/runtime'

const usage = `usage:
  node infra/toolchain/broker.ts <durable>=<filter>…
environment:
  NATS_URL, NATS_USER, NATS_PASSWORD      the broker and its user migrator
  SHARD                                   the shard of the broker
  STREAM_REPLICAS, STREAM_MAX_BYTES       settings of a stream that is created
  ACK_WAIT_SECONDS                        as set for the service`

async function run(args: string[]): Promise<number> {
  const consumers = new Map(args.map((arg) => splitAtFirst(arg, '=')))
  const { NATS_URL, SHARD, NATS_USER, NATS_PASSWORD, STREAM_REPLICAS, STREAM_MAX_BYTES, ACK_WAIT_SECONDS } = process.env
  if (NATS_URL === undefined || SHARD === undefined || [...consumers].flat().includes('')) {
    process.stderr.write(`${usage}\n`)
    return 1
  }
  const bus = await connectBus({
    servers: NATS_URL,
    name: 'migrator',
    shard: SHARD,
    log: { warn: logFields, error: logFields },
    ...(NATS_USER === undefined ? {} : { user: NATS_USER }),
    ...(NATS_PASSWORD === undefined ? {} : { pass: NATS_PASSWORD }),
    stream: {
      ...(STREAM_REPLICAS === undefined ? {} : { replicas: Number(STREAM_REPLICAS) }),
      ...(STREAM_MAX_BYTES === undefined ? {} : { maxBytes: Number(STREAM_MAX_BYTES) }),
    },
  })
  try {
    const ackWaitMs = ACK_WAIT_SECONDS ? Number(ACK_WAIT_SECONDS) * 1000 : undefined
    await provisionBroker(bus, consumers, ackWaitMs)
    // An optimization: without it, as with the permissions of an earlier release, events are published one at a time.
    await allowAtomicBatches(bus).catch((err) => logFields({ err: String(err) }, 'the stream accepts no batches'))
  } finally {
    await bus.close()
  }
  process.stdout.write(`stream and ${consumers.size} consumers of shard ${SHARD} exist\n`)
  return 0
}

function splitAtFirst(text: string, separator: string): [string, string] {
  const index = text.indexOf(separator)
  return index < 0 ? [text, ''] : [text.slice(0, index), text.slice(index + 1)]
}

function logFields(fields: object, message: string): void {
  process.stderr.write(`${message} ${JSON.stringify(fields)}\n`)
}

await runCommand(run)
