/**
 * Consequence of a failure for the mail. `rejected`: the server will never accept it. `unavailable`: it was certainly
 * not accepted, and a retry may succeed. `uncertain`: it may have been accepted, so it must not be sent again.
 */
export type MailFailureKind = 'rejected' | 'unavailable' | 'uncertain'

/**
 * Thrown when a mail was not sent, or may not have been sent. The cause is the error of the connection or the reply.
 */
export class MailFailure extends Error {
  override readonly name = 'MailFailure'
  readonly kind: MailFailureKind

  constructor(kind: MailFailureKind, cause: unknown) {
    super(messages[kind], { cause })
    this.kind = kind
  }
}

const messages: Readonly<Record<MailFailureKind, string>> = {
  rejected: 'the mail server rejected the mail permanently',
  unavailable: 'the mail server is unavailable or rejected the mail for now',
  uncertain: 'the mail server may have accepted the mail: the content was sent, and no valid reply came',
}

/** The commands whose replies decide on the mail. Others are about the server or our own authentication. */
const mailCommands: ReadonlySet<unknown> = new Set(['MAIL FROM', 'RCPT TO', 'DATA'])

/**
 * Replies that reject our authentication (RFC 4954, section 6), which the operator can correct while the mail waits.
 */
const authenticationReplies: ReadonlySet<unknown> = new Set([530, 534, 535, 538])

/**
 * Returns the failure for an error of the mail library.
 * @param mayBeAccepted true once the end of the content may have been sent: from then on only an error reply to the
 *   content (RFC 5321, section 4.2.1: 4yz and 5yz) proves that the mail was not accepted
 */
export function toMailFailure(error: unknown, mayBeAccepted: boolean): MailFailure {
  const { code, command, responseCode } = readFields(error)
  const isRefusal = typeof responseCode === 'number' && responseCode >= 400 && responseCode <= 599
  if (mayBeAccepted && !isRefusal) return new MailFailure('uncertain', error)
  return new MailFailure(isPermanent({ code, command, responseCode }) ? 'rejected' : 'unavailable', error)
}

function isPermanent({ code, command, responseCode }: ErrorFields): boolean {
  // Refused by the library before anything was sent: an invalid address, or a message that is too large.
  if (responseCode === undefined) return (code === 'EENVELOPE' && command === 'API') || code === 'EMESSAGE'
  const isAboutMail = mailCommands.has(command) || code === 'EMESSAGE'
  return isAboutMail && Number(responseCode) >= 500 && !authenticationReplies.has(responseCode)
}

interface ErrorFields {
  code?: unknown
  command?: unknown
  /** Code of the reply; absent if there was none. */
  responseCode?: unknown
}

const readFields = (error: unknown): ErrorFields => (typeof error === 'object' && error !== null ? error : {})
