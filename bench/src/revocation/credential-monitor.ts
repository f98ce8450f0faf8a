import { setTimeout as delay } from 'node:timers/promises'
import { Agent, request } from 'undici'
import type { RevocableCredential } from './credentials.ts'

/** Requests with one credential to every gateway, repeated until all of them reject it. */
export interface CredentialMonitor {
  /** Resolves when every gateway has admitted the credential. */
  admittedByAll: Promise<void>
  /** Counts rejections from now on; earlier ones are ignored. */
  expectRejection(): void
  /** Resolves when every gateway rejects the credential, with the time of the last admission. */
  lastAdmission: Promise<number>
}

interface MonitorOptions {
  edges: readonly string[]
  path: string
  /** Between two requests to one gateway. */
  intervalMs: number
}

const dispatcher = new Agent({ connections: 64 })
/** Consecutive rejections after which a gateway counts as rejecting the credential. */
const requiredRejections = 3

export function monitorCredential(
  { headers }: RevocableCredential,
  { edges, path, intervalMs }: MonitorOptions,
): CredentialMonitor {
  let isRevoked = false
  let lastAdmission = 0
  const firstAdmissions = edges.map(() => Promise.withResolvers<void>())

  async function monitorEdge(edge: string, onAdmitted: () => void): Promise<void> {
    await delay(Math.random() * intervalMs)
    for (let rejections = 0; rejections < requiredRejections; ) {
      const { statusCode, body } = await request(edge + path, { dispatcher, headers })
      await body.dump()
      if (statusCode < 300) {
        lastAdmission = performance.now()
        rejections = 0
        onAdmitted()
      } else if (![401, 403, 503].includes(statusCode)) throw new Error(`${edge} responded with ${statusCode}`)
      else if (isRevoked) rejections += 1
      await delay(rejections > 0 ? 5 : intervalMs)
    }
  }

  const monitors = edges.map((edge, index) => monitorEdge(edge, () => firstAdmissions[index]?.resolve()))
  return {
    admittedByAll: Promise.all(firstAdmissions.map(({ promise }) => promise)).then(() => undefined),
    expectRejection: () => {
      isRevoked = true
    },
    lastAdmission: Promise.all(monitors).then(() => lastAdmission),
  }
}
