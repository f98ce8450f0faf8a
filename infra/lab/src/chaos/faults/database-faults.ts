import { setTimeout as pause } from 'node:timers/promises'
import type { Fault } from './fault.ts'

const outageMs = 3_000

/** @param signal how PostgreSQL is stopped: SIGINT is its fast shutdown, SIGQUIT its immediate one */
const restartPostgres = (name: string, title: string, signal: NodeJS.Signals): Fault => ({
  name,
  title,
  seconds: 12,
  async run({ postgres }, random) {
    await pause(random.between(1_000, 3_000))
    await postgres.kill(signal)
    await pause(outageMs)
    await postgres.restart()
    return `${outageMs / 1000} s without PostgreSQL`
  },
})

export const restartPostgresFast = restartPostgres('postgres-fast', 'fast shutdown of PostgreSQL', 'SIGINT')
export const restartPostgresImmediate = restartPostgres(
  'postgres-immediate',
  'immediate shutdown of PostgreSQL, with recovery from its log',
  'SIGQUIT',
)

const lossyMs = 12_000
const lostShare = 0.1

export const loseCommitResponses: Fault = {
  name: 'commit-lost',
  title: 'connections cut between a COMMIT and its response, one in ten',
  seconds: 14,
  async run({ databaseLink }, random) {
    const before = databaseLink.cuts
    databaseLink.cutAfter((bytes) => bytes.includes('COMMIT') && random.next() < lostShare)
    await pause(lossyMs)
    databaseLink.cutAfter(undefined)
    return `${databaseLink.cuts - before} commits without a response`
  },
}
