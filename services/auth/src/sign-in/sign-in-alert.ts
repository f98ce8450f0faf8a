import { textForReader } from '@wp/contracts/local-text'
import { enqueueMail, type MailTemplate } from '@wp/mail'
import type { Context } from '../context.ts'
import type { DerivedKeys } from '../secrets/derived-keys.ts'
import { hashSecret, isEqualConstantTime } from '../secrets/secret.ts'
import type { Tx } from '../store/client.ts'
import { incrementCounters } from '../store/counters.ts'
import { recordDevice } from '../store/sessions/devices.ts'
import { findMailReader, type MailReader } from '../store/users.ts'
import { describeUserAgent } from './describe-user-agent.ts'

const day = 86_400
/** Alerts of a user; further ones say nothing new and would hide the others. */
const maxAlertsPerDay = 5

/** A sign-in that has just begun a session. */
export interface NewSignIn {
  sessionId: string
  userId: string
  email: string
  method: string
  userAgent: string | undefined
  /** Undefined for a client that keeps no cookie: its device is always new. */
  deviceToken: string | undefined
}

/** Records the device of a sign-in, and mails its user if the device is new. The first sign-in of all is no news. */
export async function alertNewDevice(
  context: Pick<Context, 'publicBaseUrl' | 'productName' | 'derivedKeys' | 'sealer' | 'now'>,
  tx: Tx,
  signIn: NewSignIn,
): Promise<void> {
  const { userId, email, deviceToken } = signIn
  const tokenHash = deviceToken === undefined ? undefined : hashSecret(deviceToken)
  if ((await recordDevice(tx.query, userId, tokenHash)) !== 'new') return
  const limit = { key: `sign-in-alert:${userId}`, quota: maxAlertsPerDay, windowSeconds: day }
  const [status] = await incrementCounters(tx.query, [limit])
  if (status?.isExceeded !== false) return
  const template = createAlertMail(context, signIn, await findMailReader(tx.query, userId))
  await enqueueMail(context, tx, { to: email, template, expiresAt: new Date(context.now() + day * 1000) })
}

const methodNames: Readonly<Record<string, string>> = {
  mail: 'a code or link of a mail',
  passkey: 'a passkey',
  google: 'Google',
  github: 'GitHub',
  sso: 'the sign-in of your company',
}

function createAlertMail(
  { publicBaseUrl, productName, derivedKeys, now }: Parameters<typeof alertNewDevice>[0],
  { sessionId, method, userAgent }: NewSignIn,
  reader: MailReader,
): MailTemplate {
  const name = methodNames[method.split(':', 1)[0] ?? method] ?? method
  return {
    subject: `New sign-in to ${productName}`,
    heading: 'You signed in on a new device',
    blocks: [
      { text: `Device: ${describeUserAgent(userAgent ?? null)}` },
      { text: `Time: ${textForReader(reader).zonedDateTime(new Date(now()))}` },
      { text: `With: ${name}` },
      { text: 'If this was you, there is nothing to do. If it was not, end that sign-in at once:' },
      {
        button: `${publicBaseUrl}/v1/auth/login/alert?token=${alertToken(derivedKeys, sessionId)}`,
        label: 'This was not me',
      },
    ],
    footer: [{ text: `We send at most ${maxAlertsPerDay} of these mails a day.` }],
  }
}

const macPurpose = 'sign-in-alert'

/** Returns the token of the link: it names the session, and works until the session has ended. */
export const alertToken = (keys: DerivedKeys, sessionId: string): string =>
  `${sessionId}.${keys.mac(macPurpose, sessionId)}`

/** Returns the session of a token; undefined if the token is not valid. */
export function readAlertToken(keys: DerivedKeys, token: string): string | undefined {
  const [sessionId = '', mac = ''] = token.split('.')
  const isValid = keys.macsUnderAllKeys(macPurpose, sessionId).some((expected) => isEqualConstantTime(expected, mac))
  return isValid ? sessionId : undefined
}
