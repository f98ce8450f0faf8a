import { setTimeout as pause } from 'node:timers/promises'
import { type ModelServer, startModelServer } from '@wp/testkit'
import { serveCalls } from '../harness/helper-process.ts'

/** The model in a process of its own: it writes tokens at a fixed pace, or holds its streams after the first ones. */
let server: ModelServer | undefined
let release: (() => void) | undefined

const tokens = (count: number) => Array.from({ length: count }, (_, index) => `word${index} `)

serveCalls({
  async start() {
    server = await startModelServer()
    return server.url
  },
  stream({ count, intervalMs }: { count: number; intervalMs: number }) {
    server?.replyAlways(() => ({
      text: tokens(count),
      beforeChunk: (index) => (index > 1 ? pause(intervalMs) : undefined),
    }))
  },
  hold() {
    const { promise, resolve } = Promise.withResolvers<void>()
    release = resolve
    server?.reset()
    server?.replyAlways(() => ({ text: tokens(4), beforeChunk: (index) => (index > 2 ? promise : undefined) }))
  },
  requests: () => server?.requests.length ?? 0,
  release: () => release?.(),
  stop: () => server?.close(),
})
