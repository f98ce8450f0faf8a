import { setTimeout as pause } from 'node:timers/promises'
import type { Fault } from './fault.ts'

const periodMs = 10_000

/** All connections stall for a while, without being closed. */
const partition = (name: string, server: string, link: 'databaseLink' | 'brokerLink'): Fault => ({
  name,
  title: `no packets between the services and ${server}`,
  seconds: 15,
  async run(chaos, random) {
    await pause(random.between(500, 2_000))
    chaos[link].stall()
    await pause(periodMs)
    chaos[link].resume()
    return `${periodMs / 1000} s of silence`
  },
})

export const partitionDatabase = partition('partition-database', 'PostgreSQL', 'databaseLink')
export const partitionBroker = partition('partition-broker', 'the broker', 'brokerLink')
