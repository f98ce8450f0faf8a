// `npm run privacy:audit` checks that the figures of a workspace that are withheld cannot be computed from those that
// are shown.
import { parseArgs } from 'node:util'
import { connectDatabase, type Query } from '@wp/database'
import { readConfig } from '@wp/service/read-config'
import { z } from 'zod'
import { loadSolver } from './privacy/index.ts'
import { auditWeeks } from './privacy-audit/audit-weeks.ts'

const usage = `usage:
  npm run privacy:audit -- <ws_…>     check all weeks, by day and week
options:
  --since <date>, --until <date>      check the weeks from one day to another, which is excluded
  --hours                             check hours too, counts and averages: a week of a large workspace takes minutes
  --env-file <path>                   read the environment from a file
environment:
  DATABASE_WORKER_URL_SOLUTIONS, else DATABASE_WORKER_URL
                                      the database of the solutions service, with its worker role`

const environment = z.object({ DATABASE_WORKER_URL: z.string() })
const date = /^\d{4}-\d{2}-\d{2}$/

try {
  process.exitCode = await run()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n${usage}\n`)
  process.exitCode = 2
}

/** @returns the exit code: 1 if a figure is told by others */
async function run(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      since: { type: 'string' },
      until: { type: 'string' },
      hours: { type: 'boolean' },
      'env-file': { type: 'string' },
    },
  })
  const [workspaceId, ...others] = positionals
  if (workspaceId === undefined || !workspaceId.startsWith('ws_') || others.length > 0)
    throw new Error('name one workspace')
  const { since, until, hours: withHours = false } = values
  for (const day of [since, until])
    if (day !== undefined && !date.test(day)) throw new Error(`${day} is not a date such as 2026-03-02`)
  if (values['env-file'] !== undefined) process.loadEnvFile(values['env-file'])
  const workerUrl = process.env.DATABASE_WORKER_URL_SOLUTIONS ?? process.env.DATABASE_WORKER_URL
  const { DATABASE_WORKER_URL: url } = readConfig(environment, { DATABASE_WORKER_URL: workerUrl })
  const database = connectDatabase({ url, workerUrl: url, prisma: () => ({}), shard: '' })
  const sums = { weeks: 0, counts: 0, withheld: 0, findings: 0 }
  try {
    // Transactions of one query each: a program may take minutes.
    const query: Query = (text, parameters) => database.read({ workspaceId }, (_db, read) => read(text, parameters))
    const scope = { workspaceId, since, until, withHours }
    for await (const { week, counts, withheld, findings } of auditWeeks(query, await loadSolver(), scope)) {
      const found = findings.length === 0 ? 'none is told by the others' : `${findings.length} told by the others:`
      print(`week of ${week}: ${counts} counts of people, ${withheld} withheld, ${found}`)
      for (const finding of findings) print(`  ${finding}`)
      sums.weeks += 1
      sums.counts += counts
      sums.withheld += withheld
      sums.findings += findings.length
    }
  } finally {
    await database.close()
  }
  if (sums.weeks === 0) throw new Error(`${workspaceId} has no figures of people in these weeks`)
  const { weeks, counts, withheld, findings } = sums
  print(`${weeks} weeks: ${counts} counts, ${withheld} withheld, ${findings} told by the others`)
  return findings === 0 ? 0 : 1
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
