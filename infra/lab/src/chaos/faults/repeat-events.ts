import { setTimeout as pause } from 'node:timers/promises'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect, headers as createHeaders } from '@nats-io/transport-node'
import { streamName } from '@wp/events'
import type { Fault } from './fault.ts'

const rounds = 3
const pauseMs = 3_000
const messagesPerRound = 200

export const repeatEvents: Fault = {
  name: 'duplicates',
  title: 'the newest events of the stream published again, in random order, with new message ids',
  seconds: 14,
  async run({ fleet, nats }, random) {
    const stream = streamName(fleet.env('auth').SHARD ?? '')
    const connection = await connect({ servers: nats.url })
    try {
      const [manager, client] = [await jetstreamManager(connection), jetstream(connection)]
      let repeated = 0
      for (let round = 0; round < rounds; round += 1) {
        await pause(pauseMs)
        const { state } = await manager.streams.info(stream)
        const first = Math.max(state.first_seq, state.last_seq - messagesPerRound + 1)
        const positions = Array.from({ length: state.last_seq - first + 1 }, (_, index) => first + index)
        for (const seq of random.shuffle(positions)) {
          const message = await manager.streams.getMessage(stream, { seq })
          if (message === null) continue
          const headers = createHeaders()
          for (const name of message.header.keys())
            if (!name.startsWith('Nats-')) headers.set(name, message.header.get(name))
          await client.publish(message.subject, message.data, { headers })
          repeated += 1
        }
      }
      return `${repeated} events repeated`
    } finally {
      await connection.close()
    }
  },
}
