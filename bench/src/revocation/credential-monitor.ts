import { setTimeout as delay } from 'node:timers/promises'
import { Agent, request } from 'undici'
import type { RevocableCredential } from './credentials.ts'

/** A credential that is shown to every edge, over and over. */
export interface CredentialMonitor {
  /** Resolves once every edge has let it in. */
  admittedEverywhere: Promise<void>
  /** From when on refusals are expected. */
  expectRefusal(): void
  /** Resolves when every edge refuses it for good, with when the last answer came that was no refusal. */
  ended: Promise<number>
}

interface MonitorOptions {
  edges: readonly string[]
  path: string
  /** Pause between two requests to one edge. */
  everyMs: number
}

const dispatcher = new Agent({ connections: 64 })
/** So many in a row, and it is believed. */
const refusals = 3

/** Shows a credential to every edge until all of them refuse it. */
export function monitorCredential(
  { headers }: RevocableCredential,
  { edges, path, everyMs }: MonitorOptions,
): CredentialMonitor {
  let isRevoked = false
  let last = 0
  const firsts = edges.map(() => Promise.withResolvers<void>())

  async function follow(edge: string, first: () => void): Promise<void> {
    await delay(Math.random() * everyMs)
    for (let refused = 0; refused < refusals; ) {
      const { statusCode, body } = await request(edge + path, { dispatcher, headers })
      await body.dump()
      if (statusCode < 300) {
        last = performance.now()
        refused = 0
        first()
      } else if (![401, 503].includes(statusCode)) throw new Error(`${edge} answered ${statusCode}`)
      else if (isRevoked) refused += 1
      await delay(refused > 0 ? 5 : everyMs)
    }
  }

  const all = edges.map((edge, at) => follow(edge, () => firsts[at]?.resolve()))
  return {
    admittedEverywhere: Promise.all(firsts.map(({ promise }) => promise)).then(() => undefined),
    expectRefusal: () => {
      isRevoked = true
    },
    ended: Promise.all(all).then(() => last),
  }
}
