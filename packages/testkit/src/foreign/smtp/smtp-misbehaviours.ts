import type { Socket } from 'node:net'

/** The steps of an SMTP session (RFC 5321), in order. `content`: the end of the mail was received. */
export type SmtpStep = 'greeting' | 'EHLO' | 'STARTTLS' | 'AUTH' | 'MAIL FROM' | 'RCPT TO' | 'DATA' | 'content'

/** One way in which a mail server misbehaves, at one step. */
export interface SmtpMisbehaviour {
  step: SmtpStep
  /** The misbehaviour in words, as the documentation lists it. */
  description: string
  /** Acts instead of the usual reply. */
  act(socket: Socket): void
  /** True if the server goes on after its reply; otherwise it ignores further commands. Default false. */
  continues?: true
}

const silence = () => {}
const close = (socket: Socket) => void socket.end()
const reset = (socket: Socket) => void socket.resetAndDestroy()
const reply = (text: string) => (socket: Socket) => void socket.write(`${text}\r\n`)
const replyAndClose = (text: string) => (socket: Socket) => void socket.end(`${text}\r\n`)

/** Writes without end, until the client closes the connection. */
const flood = (text: string) => (socket: Socket) => {
  const line = text.repeat(1_000)
  const write = () => {
    while (!socket.destroyed && socket.write(line));
  }
  socket.on('drain', write)
  write()
}

/** Every misbehaviour of the mail server, by name. */
export const smtpMisbehaviours = {
  greetingSilence: { step: 'greeting', description: 'says nothing', act: silence },
  greetingClose: { step: 'greeting', description: 'closes the connection', act: close },
  greetingReset: { step: 'greeting', description: 'resets the connection', act: reset },
  greetingBusy: { step: 'greeting', description: 'answers 421', act: replyAndClose('421 too many connections') },
  greetingRefusal: { step: 'greeting', description: 'answers 554', act: replyAndClose('554 no service for you') },
  greetingHttp: { step: 'greeting', description: 'speaks HTTP', act: replyAndClose('HTTP/1.1 400 Bad Request\r\n') },
  greetingFlood: { step: 'greeting', description: 'sends a line without end', act: flood('2') },
  ehloClose: { step: 'EHLO', description: 'closes the connection', act: close },
  ehloBusy: { step: 'EHLO', description: 'answers 421', act: replyAndClose('421 shutting down') },
  ehloUnknown: { step: 'EHLO', description: 'answers 502, knows HELO only', act: reply('502 what?'), continues: true },
  ehloFlood: { step: 'EHLO', description: 'sends a reply of endless lines', act: flood('250-more\r\n') },
  starttlsRefusal: { step: 'STARTTLS', description: 'offers it, then answers 454', act: reply('454 not now') },
  starttlsClose: { step: 'STARTTLS', description: 'offers it, then closes the connection', act: close },
  starttlsPlain: { step: 'STARTTLS', description: 'answers in plain text', act: reply('220 go\r\n250 plain text') },
  authRefusal: { step: 'AUTH', description: 'answers 535', act: reply('535 5.7.8 bad credentials') },
  authLater: { step: 'AUTH', description: 'answers 454', act: reply('454 4.7.0 try later') },
  authClose: { step: 'AUTH', description: 'closes the connection', act: close },
  mailClose: { step: 'MAIL FROM', description: 'closes the connection', act: close },
  mailLater: { step: 'MAIL FROM', description: 'answers 451', act: reply('451 try later') },
  mailAuthentication: { step: 'MAIL FROM', description: 'answers 530', act: reply('530 5.7.0 authenticate first') },
  mailRefusal: { step: 'MAIL FROM', description: 'answers 550', act: reply('550 sender rejected') },
  mailSilence: { step: 'MAIL FROM', description: 'says nothing', act: silence },
  recipientClose: { step: 'RCPT TO', description: 'closes the connection', act: close },
  recipientLater: { step: 'RCPT TO', description: 'answers 450', act: reply('450 greylisted') },
  recipientRefusal: { step: 'RCPT TO', description: 'answers 550', act: reply('550 no such user') },
  recipientGarbage: { step: 'RCPT TO', description: 'answers without a code', act: reply('fine with me') },
  dataClose: { step: 'DATA', description: 'closes the connection', act: close },
  dataLater: { step: 'DATA', description: 'answers 451', act: reply('451 try later') },
  dataRefusal: { step: 'DATA', description: 'answers 554', act: reply('554 no') },
  dataSilence: { step: 'DATA', description: 'says nothing', act: silence },
  dataConfirmed: { step: 'DATA', description: 'confirms before the content', act: reply('354 go\r\n250 ok already') },
  contentClose: { step: 'content', description: 'closes the connection', act: close },
  contentReset: { step: 'content', description: 'resets the connection', act: reset },
  contentSilence: { step: 'content', description: 'says nothing', act: silence },
  contentGarbage: { step: 'content', description: 'answers without a code', act: reply('thanks a lot') },
  contentOddCode: { step: 'content', description: 'answers 354 again', act: reply('354 go on') },
  contentHugeCode: { step: 'content', description: 'answers 999999999999', act: reply('999999999999 ok') },
  contentCutReply: {
    step: 'content',
    description: 'closes after half a reply',
    act: (socket) => void socket.end('25'),
  },
  contentFlood: { step: 'content', description: 'sends a reply of endless lines', act: flood('250-more\r\n') },
  contentBusy: { step: 'content', description: 'answers 421', act: replyAndClose('421 shutting down') },
  contentLater: { step: 'content', description: 'answers 451', act: reply('451 try later') },
  contentRefusal: { step: 'content', description: 'answers 554', act: reply('554 looks like spam') },
  contentOdd: { step: 'content', description: 'answers 250 with NUL', act: reply('250 ok \0\u0001'), continues: true },
} as const satisfies Record<string, SmtpMisbehaviour>

export type SmtpMisbehaviourName = keyof typeof smtpMisbehaviours
