import { setTimeout as pause } from 'node:timers/promises'
import type { Fault } from './fault.ts'

const periodMs = 12_000
const share = 0.1

export const loseCommitResponses: Fault = {
  name: 'commit-lost',
  title: 'connections cut between a COMMIT and its response, one in ten',
  seconds: 14,
  async run({ databaseLink }, random) {
    const before = databaseLink.cuts
    databaseLink.cutAfter((bytes) => bytes.includes('COMMIT') && random.next() < share)
    await pause(periodMs)
    databaseLink.cutAfter(undefined)
    return `${databaseLink.cuts - before} commits without a response`
  },
}
