import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import {
  type SmtpMisbehaviour,
  type SmtpMisbehaviourName,
  type SmtpStep,
  smtpMisbehaviours,
} from './smtp-misbehaviours.ts'

/** A mail server on loopback that can misbehave at every step of its protocol. */
export interface MisbehavingSmtpServer {
  /** The URL for SMTP_URL, with a user name and password. */
  url: string
  /** The contents that were received to their end, whether or not the server confirmed them. */
  readonly contents: readonly string[]
  /** Number of connections. */
  readonly sessions: number
  /** Resolves when a session has misbehaved as it was last told to. */
  readonly misbehaved: Promise<void>
  /** Chooses the misbehaviour of further sessions; undefined: none. Forgets earlier contents and sessions. */
  misbehave(name: SmtpMisbehaviourName | undefined): void
  close(): Promise<void>
}

const endOfContent = '\r\n.\r\n'

/** Starts a mail server that behaves well until it is told otherwise. */
export async function startMisbehavingSmtpServer(): Promise<MisbehavingSmtpServer> {
  const sockets = new Set<Socket>()
  const contents: string[] = []
  let sessions = 0
  let misbehaviour: SmtpMisbehaviour | undefined
  let misbehaved = Promise.withResolvers<void>()

  const server = createServer((socket) => {
    sockets.add(socket)
    sessions += 1
    socket.on('error', () => {}) // a client may leave at any time
    socket.once('close', () => sockets.delete(socket))
    serveSession(socket, misbehaviour, contents, misbehaved.resolve)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo // a server that listens on TCP has such an address

  return {
    url: `smtp://user:password@127.0.0.1:${port}`,
    contents,
    get sessions() {
      return sessions
    },
    get misbehaved() {
      return misbehaved.promise
    },
    misbehave(name) {
      misbehaviour = name === undefined ? undefined : smtpMisbehaviours[name]
      contents.length = 0
      sessions = 0
      misbehaved = Promise.withResolvers()
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

/** Serves one session. Commands are answered one after another, so clients must not pipeline. */
function serveSession(
  socket: Socket,
  misbehaviour: SmtpMisbehaviour | undefined,
  contents: string[],
  onMisbehaved: () => void,
): void {
  let received = ''
  let isInContent = false
  let isOver = false

  function answer(step: SmtpStep | undefined, usual: string): void {
    if (step === undefined || step !== misbehaviour?.step) return void socket.write(`${usual}\r\n`)
    isOver = misbehaviour.continues !== true
    misbehaviour.act(socket)
    onMisbehaved()
  }

  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text
    while (!isOver) {
      const mark = isInContent ? endOfContent : '\r\n'
      const end = received.indexOf(mark)
      if (end === -1) return
      const unit = received.slice(0, end)
      received = received.slice(end + mark.length)
      if (isInContent) {
        isInContent = false
        contents.push(unit)
        answer('content', '250 accepted')
      } else {
        const command = unit.toUpperCase()
        answer(stepOf(command), usualReply(command, misbehaviour?.step))
        isInContent = command === 'DATA'
        if (command === 'QUIT' && !isOver) socket.end()
      }
    }
    // After a premature confirmation the content still arrives.
    if (isInContent && received.includes(endOfContent)) contents.push(received.split(endOfContent)[0] ?? '')
  })
  answer('greeting', '220 test ESMTP')
}

const steps = ['EHLO', 'STARTTLS', 'AUTH', 'MAIL FROM', 'RCPT TO', 'DATA'] as const

const stepOf = (command: string): SmtpStep | undefined => steps.find((step) => command.startsWith(step))

function usualReply(command: string, misbehaving: SmtpStep | undefined): string {
  if (command === 'DATA') return '354 go on'
  if (command.startsWith('AUTH')) return '235 authenticated'
  if (command === 'QUIT') return '221 bye'
  if (!command.startsWith('EHLO')) return '250 ok'
  const offers = [...(misbehaving === 'STARTTLS' ? ['STARTTLS'] : []), 'AUTH PLAIN LOGIN']
  return [...offers.map((offer) => `250-${offer}`), '250 8BITMIME'].join('\r\n')
}
