import { connectDatabase, type Database } from '@wp/database'
import type { Log, Worker } from '@wp/runtime'
import { Client } from 'pg'
import { createTestDatabase } from './test-database.ts'

type LogEntry = Record<string, unknown>

/** A log that records the level and the fields of its entries. Set WP_TEST_LOG to print them as well. */
export function createRecordingLog(): Log & { entries: LogEntry[] } {
  const entries: LogEntry[] = []
  const record = (level: string) => (fields: object, message: string) => {
    entries.push({ level, ...fields })
    if (process.env.WP_TEST_LOG) process.stderr.write(`${level} ${message} ${JSON.stringify(fields, withErrors)}\n`)
  }
  return { entries, warn: record('warn'), error: record('error') }
}

const withErrors = (_key: string, value: unknown) => (value instanceof Error ? value.stack : value)

/** Opens a database with the platform tables and those of a test, which its owner creates by `tables`, in SQL. */
export async function openPlatformDatabase(name: string, tables: string) {
  const server = await createTestDatabase(name)
  const log = createRecordingLog()
  const admin = new Client({ connectionString: server.adminUrl })
  const owner = new Client({ connectionString: server.ownerUrl })
  await Promise.all([admin.connect(), owner.connect()])
  await owner.query(tables)
  await owner.end()
  /** Closed with the database. */
  const opened: { close(): Promise<void> }[] = []
  const workers: Worker[] = []

  /** Opens the pools of another replica. */
  function connect(): Database {
    const { url, workerUrl } = server
    const database = connectDatabase({ url, workerUrl, prisma: () => ({}), shard: 'test', log })
    opened.push(database)
    return database
  }

  return {
    ...server,
    database: connect(),
    log,
    opened,
    connect,
    queryAsAdmin: async <Row = Record<string, unknown>>(text: string, values: unknown[] = []) =>
      (await admin.query(text, values)).rows as Row[], // the test names the shape of the rows its statement gives
    /** Starts a worker. */
    async run<W extends Worker>(worker: W): Promise<W> {
      workers.push(worker)
      await worker.start()
      return worker
    },
    async stopWorkers(): Promise<void> {
      await Promise.all(workers.splice(0).map((worker) => worker.stop()))
    },
    async close(): Promise<void> {
      await Promise.all(opened.map((one) => one.close()))
      await admin.end()
      await server.drop()
    },
  }
}
