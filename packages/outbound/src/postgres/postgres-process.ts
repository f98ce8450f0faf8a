import { type ChildProcess, fork } from 'node:child_process'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { OutboundError } from '../error.ts'
import type { MessageFromChild, MessageToChild } from './child-messages.ts'
import { fromErrorMessage } from './postgres-error.ts'

/** Heap limit of the process; its parser holds at most the bytes allowed at a time outside of it. */
export const heapMib = 64

/** Passed on from the environment: trusted authorities and the compile cache. Secrets and PG* variables are not. */
const inheritedVariables = ['NODE_COMPILE_CACHE', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_DIR', 'SSL_CERT_FILE']

const entry = fileURLToPath(new URL('./child/main.ts', import.meta.url))

/** A child process that speaks to one server. A server can exhaust or block this process only. */
export class PostgresProcess {
  readonly #child: ChildProcess
  readonly #received: MessageFromChild[] = []
  readonly #exited = Promise.withResolvers<void>()
  /** Why nothing more will be received. */
  #failure: Error | undefined
  #wake = () => {}

  /** @param socket connected to the server; taken over by the process, and closed here */
  constructor(socket: Socket) {
    const env = inheritedVariables.flatMap((name) =>
      process.env[name] === undefined ? [] : [[name, process.env[name]]],
    )
    this.#child = fork(entry, [], {
      execArgv: [`--max-old-space-size=${heapMib}`, '--max-semi-space-size=8'],
      env: Object.fromEntries(env),
      serialization: 'advanced',
      // Inherited rather than sent: a process that ends before it has received a sent socket would leak it here.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc', socket],
    })
    socket.destroy()
    this.#child.on('message', (message) => this.#receive(message as MessageFromChild)) // sent by child/main.ts alone
    this.#child.on('error', (cause) => {
      if (this.#child.pid === undefined) this.#exited.resolve()
      this.#fail(new OutboundError('reset', 'The reader of the server could not be started', { cause }))
    })
    this.#child.once('exit', (_code, signal) => {
      this.#exited.resolve()
      this.#fail(exitError(signal))
    })
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  send(message: MessageToChild): void {
    if (this.#child.connected) this.#child.send(message, (error) => error && this.#fail(error))
  }

  /** Returns the next message. @throws PostgresError, OutboundError or the reason of `kill` */
  async receive(): Promise<Exclude<MessageFromChild, { kind: 'failed' }>> {
    for (;;) {
      const message = this.#received.shift()
      if (message?.kind === 'failed') throw fromErrorMessage(message.error)
      if (message !== undefined) return message
      if (this.#failure !== undefined) throw this.#failure
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  /** Ends the process and its connection at once. */
  kill(reason: Error): void {
    this.#received.length = 0
    this.#fail(reason)
    this.#child.kill('SIGKILL')
  }

  /** Resolves when the process has ended. */
  waitForExit(): Promise<void> {
    return this.#exited.promise
  }

  #receive(message: MessageFromChild): void {
    this.#received.push(message)
    this.#wake()
  }

  #fail(error: Error): void {
    this.#failure ??= error
    this.#wake()
  }
}

/** V8 aborts a process that has reached its heap limit. */
function exitError(signal: NodeJS.Signals | null): OutboundError {
  return signal === 'SIGABRT'
    ? new OutboundError('too_large', `Reading the responses of the server needs more than ${heapMib} MiB of memory`)
    : new OutboundError('protocol', 'The server does not answer like PostgreSQL')
}
