// A replica in its own process, to be killed by a test: claims due schedules, prints a line and never commits.
import { connectDatabase } from '@wp/database'
import { createRunEnqueuer } from '../../src/schedules/run-enqueuer.ts'
import { silentLog as log } from '../fixture/test-jobs.ts'
import { planQueues, withFault } from './fixture.ts'

const [url = '', workerUrl = '', now = ''] = process.argv.slice(2)
const database = withFault(connectDatabase({ url, workerUrl, prisma: () => ({}), shard: 'test', log }), async () => {
  process.stdout.write('claimed\n')
  await new Promise<never>(() => {})
})
const { pass } = createRunEnqueuer({
  database,
  service: 'solutions',
  queues: planQueues,
  log,
  now: () => new Date(now),
})
await pass(new AbortController().signal)
