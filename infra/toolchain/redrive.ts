// `npm run events:redrive -- <service>` schedules dead letters for handling, with all attempts. A replica handles them
// within seconds. Deploy the correction first.
import { parseArgs } from 'node:util'
import { type DeadLetter, listDeadLetters, redrive } from '@wp/events'
import { printLine, runCommand } from '@wp/runtime'
import { withWorker, workerUrlOf } from './service-databases.ts'

const usage = `usage:
  npm run events:redrive -- <service> --list    list the dead letters, the oldest first
  npm run events:redrive -- <service>           redrive all of them
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

const formatDeadLetter = ({ diedAt, consumer, eventId, kind, workspaceId, error }: DeadLetter): string =>
  [diedAt.toISOString(), consumer, eventId, kind ?? '-', workspaceId || '-', JSON.stringify(error)].join('  ')

await runCommand(run)
