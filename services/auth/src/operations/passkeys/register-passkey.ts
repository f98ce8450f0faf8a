import { type PasskeyAttestation, problem } from '@wp/contracts'
import type { Context, Operation } from '../../context.ts'
import { createChallenge, readChallenge } from '../../passkeys/challenge.ts'
import { type PasskeyRefusal, parseClientData, refusePage } from '../../passkeys/client-data.ts'
import { creationOptions } from '../../passkeys/options.ts'
import { relyingPartyOf } from '../../passkeys/relying-party.ts'
import { verifyAttestation } from '../../passkeys/verify-passkey.ts'
import { hashSecret } from '../../secrets/secret.ts'
import { requireRecentAuthentication } from '../../sessions/require-recent-authentication.ts'
import { describeUserAgent } from '../../sign-in/describe-user-agent.ts'
import type { Tx } from '../../store/client.ts'
import { insertPasskey, listDescriptors, lockAndCountPasskeys, redeemChallenge } from '../../store/passkeys/passkeys.ts'
import { requireUser } from '../../store/users.ts'
import { passkeyView } from '../../views.ts'

/** Passkeys of a user; options name all of them to the browser. */
const maxPasskeys = 20

export const startPasskeyRegistration: Operation<'startPasskeyRegistration'> = async (context, caller) => {
  const { database, derivedKeys, productName, publicBaseUrl, now } = context
  return await database.transact(caller, async (tx) => {
    const { sessionId, userId, email } = await requireRecentAuthentication(context, tx, caller)
    const existing = await listDescriptors(tx.query, userId)
    rejectMoreThanLimit(existing.length + 1)
    const { name } = await requireUser(tx.db, userId)
    const challenge = createChallenge(derivedKeys, { purpose: 'registration', sessionId }, now())
    const owner = { userId, email, name }
    const options = creationOptions(relyingPartyOf(publicBaseUrl), challenge, { owner, existing, productName })
    return { expires_at: challenge.expiresAt.toISOString(), options }
  })
}

/** Adds the passkey that a browser created by the options of this session. */
export const createPasskey: Operation<'createPasskey'> = async (context, caller, { body: { name, credential } }) =>
  await context.database.transact(caller, async (tx) => {
    const { sessionId, userId } = await requireRecentAuthentication(context, tx, caller)
    const verified = await verifyRegistration(context, tx, credential, sessionId)
    if ('refusal' in verified) {
      const { refusal } = verified
      context.log.warn({ event: 'passkey.registration_refused', reason: refusal, userId }, 'passkey was refused')
      throw problem('invalid_login', { detail: 'The passkey could not be verified; start again' })
    }
    const passkey = {
      ...verified,
      userId,
      name: name ?? describeUserAgent(caller.request?.userAgent ?? null),
      transports: credential.response.transports ?? [],
    }
    rejectMoreThanLimit((await lockAndCountPasskeys(tx.query, userId)) + 1)
    const row = await insertPasskey(tx.query, passkey)
    if (row === undefined) throw problem('conflict', { detail: 'This passkey cannot be added; create a new one' })
    return passkeyView(row)
  })

/** Verifies a registration. A refused one is rolled back with its challenge, which belongs to the session. */
async function verifyRegistration(
  { derivedKeys, publicBaseUrl, now }: Context,
  { query }: Tx,
  attestation: PasskeyAttestation,
  sessionId: string,
): Promise<Exclude<Awaited<ReturnType<typeof verifyAttestation>>, undefined> | { refusal: PasskeyRefusal }> {
  const relyingParty = relyingPartyOf(publicBaseUrl)
  const clientData = parseClientData(attestation.response.clientDataJSON)
  if (clientData === undefined) return { refusal: 'malformed' }
  const { challenge } = clientData
  const read = readChallenge(derivedKeys, challenge, { purpose: 'registration', sessionId }, now())
  if ('refusal' in read) return read
  if (!(await redeemChallenge(query, hashSecret(challenge), read.expiresAt))) return { refusal: 'challenge_used' }
  const refusal = refusePage(clientData, 'webauthn.create', relyingParty)
  return refusal === undefined ? await verifyAttestation(attestation, { challenge, relyingParty }) : { refusal }
}

function rejectMoreThanLimit(count: number): void {
  if (count > maxPasskeys)
    throw problem('quota_exceeded', { detail: `An account has at most ${maxPasskeys} passkeys; delete one first` })
}
