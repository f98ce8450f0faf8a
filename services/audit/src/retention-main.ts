// `npm run audit:retention` cuts the records of every workspace whose retention has ended. The CronJob audit-retention
// runs it every night. It connects with a role that no service uses.
import { parseArgs } from 'node:util'
import { connectDatabase, workerQuery } from '@wp/database'
import { runCommand } from '@wp/runtime'
import { openDocumentSigner } from '@wp/service/document-signer'
import { createLogger } from '@wp/service/logger'
import { integer } from '@wp/service/process-config'
import { readConfig } from '@wp/service/read-config'
import { z } from 'zod'
import { cutChains } from './chain/cut-chain.ts'
import { setRetention } from './store/retention.ts'

const usage = `usage:
  npm run audit:retention                                  cut the records whose retention has ended
  npm run audit:retention -- --workspace <ws_…> --days <n>  set the retention of a workspace, instead of that of its plan
environment:
  DATABASE_RETENTION_URL    the database of audit, with the role wp_audit_retention
  AUDIT_SIGNING_KEY_FILE    the keys with which the audit log signs anchors
  AUDIT_RETENTION_DAYS      retention of chains of which none is known; unset: they are kept`

const environment = z.object({
  DATABASE_RETENTION_URL: z.string(),
  AUDIT_SIGNING_KEY_FILE: z.string(),
  AUDIT_RETENTION_DAYS: integer(1, 36_500).optional(),
})

const log = createLogger('audit-retention', 'info')
/** Records of a transaction. Bounds memory and the time for which rows are locked. */
const batchSize = 1_000

await runCommand(run, `${usage}\n`)

async function run(): Promise<number> {
  const { values } = parseArgs({ options: { workspace: { type: 'string' }, days: { type: 'string' } } })
  const { workspace: chain, days } = values
  const config = readConfig(environment, process.env)
  const url = config.DATABASE_RETENTION_URL
  const signer = await openDocumentSigner(config.AUDIT_SIGNING_KEY_FILE)
  const database = connectDatabase({ url, workerUrl: url, prisma: () => ({}), shard: '' })
  try {
    if (chain !== undefined || days !== undefined) {
      if (chain === undefined || !/^[1-9]\d{0,4}$/.test(days ?? ''))
        throw new Error('--workspace needs --days, from 1 to 36500')
      await setRetention(workerQuery(database.worker), { chain, days: Number(days) })
      return 0
    }
    let failures = 0
    const context = { database, signer, now: () => new Date(), batchSize }
    for await (const { problem, ...report } of cutChains(context, config.AUDIT_RETENTION_DAYS)) {
      if (problem === undefined) log.info({ event: 'audit.cut', ...report }, 'records cut after their retention')
      else log.error({ event: 'audit.chain_broken', ...report, problem }, 'chain not cut: it does not verify')
      failures += problem === undefined ? 0 : 1
    }
    return failures === 0 ? 0 : 1
  } finally {
    await database.close()
  }
}
