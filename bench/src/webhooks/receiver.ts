import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { testAuthority } from '@wp/testkit'
import { type HelperProcess, startHelper } from '../harness/helper-process.ts'

/** Settings of the guarded client that let a fleet reach a receiver on loopback. */
export const loopbackAccess = (): Record<string, string> => ({
  OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
  OUTBOUND_CA_FILE: testAuthority().file,
})

/** Returns the certificate and key of a server on loopback that a fleet with `loopbackAccess` trusts. */
export function issueLoopbackIdentity(): { CERTIFICATE: string; KEY: string } {
  const { certificate, key } = testAuthority().issue({ names: ['localhost', '127.0.0.1'] })
  return { CERTIFICATE: certificate, KEY: key }
}

/** The receiver of webhooks, in a process of its own, and the URL of its paths. */
export interface WebhookReceiver extends HelperProcess {
  url(path: string): string
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const helper = await startHelper(join(import.meta.dirname, 'receiver-process.ts'), issueLoopbackIdentity())
  const url = await helper.call<string>('url')
  return { ...helper, url: (path) => url + path }
}

/** The arrivals at `/ok` of a receiver since the last call. */
export interface Arrivals {
  /** The `id` of each payload. */
  ids: string[]
  atMs: Float64Array
}

/** Waits for the arrivals of payloads at `/ok`, and returns the time of the first of each. An event may come twice. */
export async function collectArrivals(
  receiver: WebhookReceiver,
  expected: readonly string[],
  timeoutMs: number,
): Promise<Map<string, number>> {
  // Others may arrive, too: those of requests that were cut off by their time limit.
  const missing = new Set(expected)
  const arrivedMs = new Map<string, number>()
  const deadline = performance.now() + timeoutMs
  while (true) {
    const { ids, atMs } = await receiver.call<Arrivals>('takeArrivals')
    for (const [index, id] of ids.entries()) if (missing.delete(id)) arrivedMs.set(id, atMs[index] ?? Number.NaN)
    if (missing.size === 0 || performance.now() > deadline) return arrivedMs
    await pause(50)
  }
}
