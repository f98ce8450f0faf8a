import { cpSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect, headers as createHeaders } from '@nats-io/transport-node'
import { streamName } from '@wp/events'
import type { Fault } from './fault.ts'

const outageMs = 20_000
const lostMs = 6_000

export const stopBroker: Fault = {
  name: 'broker-stopped',
  title: 'the broker stopped and started again',
  seconds: 24,
  async run({ nats }) {
    await nats.kill('SIGTERM')
    await pause(outageMs)
    await nats.restart()
    return `${outageMs / 1000} s without the broker`
  },
}

export const wipeBroker: Fault = {
  name: 'broker-wiped',
  title: 'the broker restarted without its storage',
  seconds: 8,
  async run({ nats }, random) {
    await pause(random.between(2_000, 4_000))
    await nats.kill('SIGKILL')
    await nats.restart({ wipe: true })
    return 'all streams lost'
  },
}

/** The operating system keeps what a killed process has written, so the lost writes are those since a copy. */
export const cutBrokerPower: Fault = {
  name: 'broker-power-cut',
  title: 'the broker killed, and its storage set back to that of some seconds before',
  seconds: 14,
  async run({ nats }) {
    const data = join(nats.storeDir ?? '', 'data')
    const copy = join(tmpdir(), `wp-chaos-copy-${process.pid}`)
    await nats.kill('SIGSTOP')
    cpSync(data, copy, { recursive: true })
    await nats.kill('SIGCONT')
    await pause(lostMs)
    await nats.kill('SIGKILL')
    rmSync(data, { recursive: true })
    cpSync(copy, data, { recursive: true })
    rmSync(copy, { recursive: true })
    await nats.restart()
    return `${lostMs / 1000} s of acknowledged messages lost`
  },
}

const fullMs = 12_000

export const fillBrokerDisk: Fault = {
  name: 'broker-disk-full',
  title: 'no space on the disk of the broker; it is restarted when there is space again',
  seconds: 18,
  findObstacle: ({ brokerDisk }) => (brokerDisk === undefined ? 'needs the right to mount a file system' : undefined),
  async run({ nats, brokerDisk }) {
    brokerDisk?.fill()
    await pause(fullMs)
    brokerDisk?.free()
    await nats.kill('SIGTERM')
    await nats.restart()
    return `${fullMs / 1000} s without space`
  },
}

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
