import { sweepScratch } from '../servers/scratch.ts'
import type { TestServers } from './setup.ts'

/** Ends what `setup` started, and what test files started and did not end. */
export default async function teardown(): Promise<void> {
  // True because Jest runs setup and teardown in one process, and setup is the only writer.
  const { wpTestServers } = globalThis as typeof globalThis & { wpTestServers?: TestServers }
  await Promise.all([wpTestServers?.postgres?.stop(), wpTestServers?.nats?.stop()])
  sweepScratch({ ours: true })
}
