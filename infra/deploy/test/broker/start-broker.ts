import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SignerName } from '@wp/contracts'
import { type Nats, runProgram, startNats, startTestFleet, type TestFleet } from '@wp/testkit'
import { consumersAt } from '../../src/nats/permissions.ts'
import { brokerUserNames, passwordVariable, renderUsersConfig } from '../../src/nats/users.ts'
import { brokerUsers } from '../../src/network-access.ts'

/** The shard of the broker, which its permissions name. */
export const shard = `d${randomBytes(5).toString('hex')}`
export const password = (user: string) => `pw-${user}`

/** Runs the program that creates the stream and consumers, as the pods do. */
export async function prepareBroker(nats: Nats, program: string, args: readonly string[]): Promise<string> {
  const login = { NATS_USER: 'migrator', NATS_PASSWORD: password('migrator') }
  return (await runProgram(program, args, { NATS_URL: nats.url, SHARD: shard, ...login })).stdout
}

/** Starts a broker whose users have passwords instead of variables, with its stream and consumers. */
export async function startBroker(): Promise<Nats> {
  const configuration = brokerUserNames.reduce(
    (text, user) => text.replaceAll(new RegExp(`\\$${passwordVariable(user)}(?=\\s)`, 'g'), `"${password(user)}"`),
    renderUsersConfig('SHARD').replaceAll('SHARD', shard),
  )
  const nats = await startNats({ configuration })
  const consumers = [...consumersAt(shard)].map(([name, filter]) => `${name}=${filter}`)
  const printed = await prepareBroker(nats, 'infra/toolchain/broker.ts', consumers)
  assert.equal(printed, `stream and ${consumers.length} consumers of shard ${shard} exist\n`)
  return nats
}

/** Starts a fleet whose processes are users of the broker. */
export function startFleetOn(nats: Nats): Promise<TestFleet> {
  const login = (name: SignerName) => [name, { NATS_USER: name, NATS_PASSWORD: password(name) }] as const
  return startTestFleet({ natsUrl: nats.url, shard, env: Object.fromEntries(brokerUsers.map(login)) })
}

/** Returns the lines of the broker's log about permissions that were denied. */
export const violationsOf = (nats: Nats): string[] =>
  readFileSync(join(nats.storeDir ?? '', 'server.log'), 'utf8')
    .split('\n')
    .filter((line) => / Violation /.test(line))
