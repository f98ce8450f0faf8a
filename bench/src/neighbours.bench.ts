import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { setTestQuota, type TestFleet, type TestWorkspace } from '@wp/testkit'
import { withFleet } from './harness/fleet.ts'
import { type HelperProcess, startHelper } from './harness/helper-process.ts'
import { type Row, report } from './harness/report.ts'
import type { Workspace } from './harness/workspace.ts'
import { chosenEntries } from './names.ts'
import type { Attack } from './neighbours/attacks/attack.ts'
import { attacks } from './neighbours/attacks/index.ts'
import { type Measurement, type ProbeContext, probes } from './neighbours/probes.ts'
import { issueLoopbackIdentity, loopbackAccess, startWebhookReceiver } from './webhooks/receiver.ts'

const tokensOfEach = 2_000
/** Time for an attack to build up, and for its queues to drain before the next one. */
const settleMs = 3_000

/**
 * Measures what a hostile workspace does to a quiet one: the quiet workspace's times alone and beside each attack, in
 * one fleet with one replica of each service. Times of jobs are from their creation to their start.
 */
export async function run({ seconds }: { seconds: number }, chosen: readonly string[]): Promise<void> {
  await withFleet({ limits: 'default', outbound: loopbackAccess() }, async (fleet) => {
    const receiver = await startWebhookReceiver()
    const attacker = await startHelper(join(import.meta.dirname, 'neighbours/attacker.ts'), issueLoopbackIdentity())
    try {
      const context = { quiet: await describe(fleet, fleet.owner), receiver, seconds }
      const rows: Row[] = []
      const outcomes: Record<string, unknown> = {}
      for (const [name, attack] of chosenEntries(attacks, chosen)) {
        const workspace = await fleet.seed(name)
        const { workerUrl } = fleet.databases.get('webhook-delivery') ?? {}
        await setTestQuota(workerUrl, workspace.workspaceId, 'subscriptions', 1_000) // more than the default
        const hostile = await describe(fleet, workspace)
        const { alone, beside, outcome } = await measure(context, attacker, { name, attack, hostile })
        rows.push(formatRow(name, attack, alone, beside))
        outcomes[name] = outcome
        process.stdout.write(`${name}: ${JSON.stringify({ alone, beside, outcome })}\n`)
      }
      report('neighbours', rows, { seconds, outcomes })
    } finally {
      await Promise.all([attacker.stop(), receiver.stop()])
    }
  })
}

const describe = async (fleet: TestFleet, workspace: TestWorkspace): Promise<Workspace> => ({
  baseUrl: fleet.baseUrl,
  apiKey: workspace.apiKey,
  tokens: await fleet.tokens(workspace, tokensOfEach),
})

async function measure(
  context: ProbeContext,
  attacker: HelperProcess,
  { name, attack, hostile }: { name: string; attack: Attack; hostile: Workspace },
) {
  const probe = probes[attack.probe]
  await attacker.call('prepare', { name, hostile })
  await probe({ ...context, seconds: 2 }) // warms up code and connections
  const alone = await probe(context)
  await attacker.call('start', { name, hostile })
  await pause(settleMs)
  const beside = await probe(context)
  const outcome = await attacker.call<Record<string, number>>('stop')
  await pause(settleMs)
  return { alone, beside, outcome }
}

const formatRow = (name: string, { probe }: Attack, alone: Measurement, beside: Measurement): Row => ({
  attack: name,
  'quiet workspace': probe,
  'p50 alone': alone.p50,
  'p50 beside': beside.p50,
  'p95 alone': alone.p95,
  'p95 beside': beside.p95,
  ratio: beside.p95 / alone.p95,
  'p99 alone': alone.p99,
  'p99 beside': beside.p99,
  failures: beside.failures,
})
