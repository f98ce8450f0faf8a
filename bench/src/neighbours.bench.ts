import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findFreePort, startTestServers, testAuthority } from '@wp/testkit'
import { type HelperProcess, startHelper } from './harness/helper-process.ts'
import { optionValue } from './harness/options.ts'
import { report } from './harness/report.ts'
import type { Attack } from './neighbours/attacks/attack.ts'
import { attacks } from './neighbours/attacks/index.ts'
import { type Measurement, probes } from './neighbours/probes.ts'
import type { Workspace } from './neighbours/workspace.ts'

/**
 * Measures what a hostile workspace does to a quiet one: the quiet workspace's times alone and beside each attack, in
 * one fleet with one replica of each service. Times of jobs are from their creation to their start.
 *
 * Options: names of attacks (default all), `--seconds n` of each measurement (default 10), `--processes` for a process
 * per service in place of the one process of the local fleet.
 */
export async function run(options: string[]): Promise<void> {
  const seconds = Number(optionValue(options, '--seconds') ?? 10)
  const chosen = Object.entries(attacks).filter(([name]) => options.includes(name))
  const mode = options.includes('--processes') ? 'processes' : 'in-process'
  await using bench = await startBench(mode)
  const rows: Record<string, string | number>[] = []
  const outcomes: Record<string, unknown> = {}
  for (const [name, attack] of chosen.length > 0 ? chosen : Object.entries(attacks)) {
    const { alone, beside, outcome } = await measure(bench, name, attack, seconds)
    rows.push(formatRow(name, attack, alone, beside))
    outcomes[name] = outcome
    process.stdout.write(`${name}: ${JSON.stringify({ alone, beside, outcome })}\n`)
  }
  report('neighbours', rows, { mode, seconds, outcomes })
}

interface Bench extends AsyncDisposable {
  quiet: Workspace
  fleet: HelperProcess
  receiver: HelperProcess
  receiverUrl: string
  attacker: HelperProcess
}

async function startBench(mode: 'in-process' | 'processes'): Promise<Bench> {
  const servers = await startTestServers()
  const authority = testAuthority()
  const { certificate, key } = authority.issue({ names: ['localhost', '127.0.0.1'] })
  const tls = { CERTIFICATE: certificate, KEY: key }
  const port = await findFreePort()
  const helper = (path: string, env: Record<string, string>) => startHelper(join(import.meta.dirname, path), env)
  const receiver = await helper('webhooks/receiver.ts', { ...tls, PORT: `${port}` })
  const attacker = await helper('neighbours/attacker.ts', tls)
  const { WP_TEST_POSTGRES = '', WP_TEST_NATS = '', WP_TEST_RUN = '' } = process.env
  const fleetEnv = { CA_FILE: authority.file, WP_TEST_POSTGRES, WP_TEST_NATS, WP_TEST_RUN }
  const fleet = await helper('neighbours/fleet-process.ts', fleetEnv)
  const quiet = await fleet.call<Workspace>('start', mode)
  return {
    quiet,
    fleet,
    receiver,
    receiverUrl: `https://127.0.0.1:${port}/ok`,
    attacker,
    async [Symbol.asyncDispose]() {
      await fleet.call('stop')
      await Promise.all([fleet, attacker, receiver].map((process) => process.stop()))
      await servers.stop()
    },
  }
}

/** Time for an attack to build up, and for its queues to drain before the next one. */
const settleMs = 3_000

async function measure(bench: Bench, name: string, attack: Attack, seconds: number) {
  const { attacker } = bench
  const hostile = await bench.fleet.call<Workspace>('createHostile', name)
  const probe = () => probes[attack.probe]({ ...bench, seconds })
  await attacker.call('prepare', { name, hostile })
  await probes[attack.probe]({ ...bench, seconds: 2 }) // warms up code and connections
  const alone = await probe()
  await attacker.call('start', { name, hostile })
  await pause(settleMs)
  const beside = await probe()
  const outcome = await attacker.call<Record<string, number>>('stop')
  await pause(settleMs)
  return { alone, beside, outcome }
}

const formatRow = (name: string, { probe }: Attack, alone: Measurement, beside: Measurement) => ({
  attack: name,
  'quiet workspace': probe,
  'p50 alone': alone.p50,
  'p50 beside': beside.p50,
  'p95 alone': alone.p95,
  'p95 beside': beside.p95,
  ratio: beside.p95 / alone.p95,
  'p99 alone': alone.p99,
  'p99 beside': beside.p99,
  '/s alone': alone.perSecond,
  '/s beside': beside.perSecond,
  failures: beside.failures,
})
