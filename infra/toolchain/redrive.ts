// `pnpm events:redrive <service>` schedules dead letters for handling, with all attempts. A replica handles them within
// seconds. Deploy the correction first.
import { parseArgs } from 'node:util'
import { connectDatabase, type Query } from '@wp/database'
import { type DeadLetter, listDeadLetters, redrive } from '@wp/events'

const usage = `usage:
  pnpm events:redrive <service> --list    list the dead letters, the oldest first
  pnpm events:redrive <service>           redrive all of them
options:
  --consumer <name>                       only those of one consumer, <service>_<purpose>, or of relay
  --event <id>                            only those of one event
  --env-file <path>                       read the environment from a file
environment:
  DATABASE_WORKER_URL_<SERVICE>, else DATABASE_WORKER_URL
                                          the service's database, with its worker role`

async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseOptions(args)
  const [service, ...rest] = positionals
  if (service === undefined || rest.length > 0) {
    process.stderr.write(`${usage}\n`)
    return 1
  }
  if (values['env-file'] !== undefined) process.loadEnvFile(values['env-file'])
  const filter = {
    ...(values.consumer === undefined ? {} : { consumer: values.consumer }),
    ...(values.event === undefined ? {} : { eventId: values.event }),
  }
  await withWorker(workerUrlOf(service), async (query) => {
    if (values.list) for (const dead of await listDeadLetters(query, filter)) printLine(formatDeadLetter(dead))
    else printLine(`${service}: ${await redrive(query, filter)} redriven`)
  })
  return 0
}

const parseOptions = (args: string[]) =>
  parseArgs({
    args,
    allowPositionals: true,
    options: {
      list: { type: 'boolean', default: false },
      consumer: { type: 'string' },
      event: { type: 'string' },
      'env-file': { type: 'string' },
    },
  })

function workerUrlOf(service: string): string {
  const named = `DATABASE_WORKER_URL_${service.toUpperCase().replaceAll('-', '_')}`
  const url = process.env[named] ?? process.env.DATABASE_WORKER_URL
  if (!url) throw new Error(`neither ${named} nor DATABASE_WORKER_URL is set`)
  return url
}

async function withWorker(workerUrl: string, work: (query: Query) => Promise<void>): Promise<void> {
  const database = connectDatabase({ url: workerUrl, workerUrl, prisma: () => ({}), shard: '', workerPoolSize: 1 })
  try {
    // The caller states the shape of the rows that its statement returns.
    await work(async <Row>(text: string, values: readonly unknown[] = []) => {
      const { rows } = await database.worker.query(text, [...values])
      return rows as Row[]
    })
  } finally {
    await database.close()
  }
}

const formatDeadLetter = ({ diedAt, consumer, eventId, kind, workspaceId, error }: DeadLetter): string =>
  [diedAt.toISOString(), consumer, eventId, kind ?? '-', workspaceId || '-', JSON.stringify(error)].join('  ')

function printLine(text: string): void {
  process.stdout.write(`${text}\n`)
}

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
