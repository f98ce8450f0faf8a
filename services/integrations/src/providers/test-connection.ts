import { OutboundError } from '@wp/outbound'
import type { Connection } from './provider.ts'

/**
 * Tests a connection with a time limit for all of its steps together.
 * @throws ConnectionFailure, OutboundError; `timeout` when the time is over
 */
export async function testConnection(connection: Connection, workspaceId: string, timeoutMs: number): Promise<void> {
  const controller = new AbortController()
  const timer = setTimeout(
    () => controller.abort(new OutboundError('timeout', `The connection test took longer than ${timeoutMs} ms`)),
    timeoutMs,
  )
  try {
    await connection.test({ workspaceId, signal: controller.signal })
  } finally {
    clearTimeout(timer)
  }
}
