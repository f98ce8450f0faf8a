// `npm run quotas -- <service> <workspace>` shows and sets the limits of one workspace, or of a user for the quota
// `workspaces`. A change takes effect with the next request.
import { parseArgs } from 'node:util'
import { type QuotaName, quotaCounters, quotas, type ServiceName } from '@wp/contracts'
import { listQuotaLimits, setQuotaLimit } from '@wp/database'
import { runCommand } from '@wp/runtime'
import { withWorker, workerUrlOf } from './service-databases.ts'

const usage = `usage:
  npm run quotas -- <service> <workspace>                    list the limits that differ from the defaults
  npm run quotas -- <service> <workspace> <quota> <limit>    set a limit; "default" removes it
  A quota of users (workspaces) takes the id of a user instead of a workspace.
options:
  --env-file <path>                                    read the environment from a file
environment:
  DATABASE_WORKER_URL_<SERVICE>, else DATABASE_WORKER_URL
                                                       the service's database, with its worker role`

async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { 'env-file': { type: 'string' } },
  })
  const [service, subject, quota, limit] = positionals
  if (service === undefined || subject === undefined || ![2, 4].includes(positionals.length)) {
    process.stderr.write(`${usage}\n`)
    return 1
  }
  if (values['env-file'] !== undefined) process.loadEnvFile(values['env-file'])
  const change =
    quota === undefined || limit === undefined
      ? undefined
      : { quota: readQuota(service, subject, quota), maximum: readLimit(limit) }
  await withWorker(workerUrlOf(service), async (query) => {
    if (change !== undefined) await setQuotaLimit(query, subject, change.quota, change.maximum)
    for (const { quota: name, maximum } of await listQuotaLimits(query, subject))
      process.stdout.write(`${name}  ${maximum}  (default ${quotas[name].limit})\n`)
  })
  return 0
}

function readQuota(service: string, subject: string, name: string): QuotaName {
  const own = quotaCounters.filter((counter) => counter.service === (service as ServiceName)) // any other name has no counters
  const found = own.find(({ quota }) => quota === name)?.quota
  if (found === undefined)
    throw new Error(`${service} counts no quota "${name}"; it counts: ${own.map(({ quota }) => quota).join(', ')}`)
  const prefix = 'subject' in quotas[found] ? 'usr_' : 'ws_'
  if (!subject.startsWith(prefix)) throw new Error(`the quota ${name} needs an id that begins with ${prefix}`)
  return found
}

function readLimit(text: string): number | null {
  if (text === 'default') return null
  if (!/^\d{1,15}$/.test(text)) throw new Error(`the limit must be a whole number or "default", not "${text}"`)
  return Number(text)
}

await runCommand(run)
