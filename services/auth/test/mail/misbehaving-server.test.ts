import { afterAll, expect, it } from '@jest/globals'
import { createMailTransport, MailFailure, type MailFailureKind } from '@wp/mail'
import { type SmtpMisbehaviourName, smtpMisbehaviours, startMisbehavingSmtpServer } from '@wp/testkit'

type Outcome = MailFailureKind | 'sent'

/** The outcome of a mail, by the misbehaviour of the mail server; docs/foreign-answers.md has the same table. */
const outcomes = {
  greetingSilence: 'unavailable',
  greetingClose: 'unavailable',
  greetingReset: 'unavailable',
  greetingBusy: 'unavailable',
  greetingRefusal: 'unavailable',
  greetingHttp: 'unavailable',
  greetingFlood: 'unavailable',
  ehloClose: 'unavailable',
  ehloBusy: 'unavailable',
  ehloUnknown: 'sent',
  ehloFlood: 'unavailable',
  starttlsRefusal: 'unavailable',
  starttlsClose: 'unavailable',
  starttlsPlain: 'unavailable',
  authRefusal: 'unavailable',
  authLater: 'unavailable',
  authClose: 'unavailable',
  mailClose: 'unavailable',
  mailLater: 'unavailable',
  mailAuthentication: 'unavailable',
  mailRefusal: 'rejected',
  mailSilence: 'unavailable',
  recipientClose: 'unavailable',
  recipientLater: 'unavailable',
  recipientRefusal: 'rejected',
  recipientGarbage: 'unavailable',
  dataClose: 'unavailable',
  dataLater: 'unavailable',
  dataRefusal: 'rejected',
  dataSilence: 'unavailable',
  dataConfirmed: 'uncertain',
  contentClose: 'uncertain',
  contentReset: 'uncertain',
  contentSilence: 'uncertain',
  contentGarbage: 'uncertain',
  contentOddCode: 'uncertain',
  contentHugeCode: 'uncertain',
  contentCutReply: 'uncertain',
  contentFlood: 'uncertain',
  contentBusy: 'unavailable',
  contentLater: 'unavailable',
  contentRefusal: 'rejected',
  contentOdd: 'sent',
} satisfies Record<SmtpMisbehaviourName, Outcome>

/** The time after which an attempt is aborted whose server leaves the client waiting. */
const silenceMs = 300

const server = await startMisbehavingSmtpServer()
afterAll(() => server.close())

const mail = { to: 'ada@example.com', subject: 'Hello', text: 'Hello\n', html: '<p>Hello</p>' }

const cases = Object.entries(outcomes).map(([key, outcome]) => {
  const name = key as SmtpMisbehaviourName // a key of the table above
  const { step, description } = smtpMisbehaviours[name]
  return { name, outcome, step, description }
})

it.each(cases)('a mail is $outcome when the mail server, at $step, $description', async ({ name, outcome }) => {
  server.misbehave(name)
  const transport = createMailTransport({ url: server.url, from: 'no-reply@example.com' })
  let contentsAnnounced = 0
  const controller = new AbortController()
  if (/Silence|Plain/.test(name))
    void server.misbehaved.then(() => setTimeout(() => controller.abort(new Error('too long')), silenceMs))
  const beforeContent = async () => {
    contentsAnnounced += 1
  }
  const result = await transport.send(mail, { id: 'mail-1', signal: controller.signal, beforeContent }).then(
    () => 'sent',
    (error: unknown) => (error instanceof MailFailure ? error.kind : error),
  )
  expect(result).toBe(outcome)
  expect(server.sessions).toBe(1)
  // What the server got was announced before.
  expect(server.contents.length).toBeLessThanOrEqual(contentsAnnounced)
})
