// Access of operator commands to the database of a service.
import { connectDatabase, type Query } from '@wp/database'

/**
 * Returns the URL of a service's database with its worker role, from the environment.
 * @throws Error if none is set
 */
export function workerUrlOf(service: string): string {
  const named = `DATABASE_WORKER_URL_${service.toUpperCase().replaceAll('-', '_')}`
  const url = process.env[named] ?? process.env.DATABASE_WORKER_URL
  if (!url) throw new Error(`neither ${named} nor DATABASE_WORKER_URL is set`)
  return url
}

/** Runs work on one connection, which sees all workspaces, and closes it. */
export async function withWorker(workerUrl: string, work: (query: Query) => Promise<void>): Promise<void> {
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
