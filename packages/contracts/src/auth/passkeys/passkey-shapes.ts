import { z } from 'zod'
import { boundedArray } from '../../core/shape/bounded.ts'
import { id } from '../../core/shape/id.ts'
import { text, timestamp } from '../../core/shape/shape.ts'

/** Binary data of WebAuthn in JSON: base64url without padding. */
const base64url = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[A-Za-z0-9_-]*$/, 'must be base64url')

/** Credential ids have at most 1,023 bytes (WebAuthn section 4). */
const credentialId = base64url(1_364).min(1)
const transports = boundedArray(text(32), 10)
const clientDataJson = base64url(4_096)

/** What the API reads of `PublicKeyCredential.toJSON()` after `navigator.credentials.get()`; others are ignored. */
export const PasskeyAssertion = z
  .object({
    id: credentialId,
    rawId: credentialId,
    type: z.literal('public-key'),
    response: z.object({
      clientDataJSON: clientDataJson,
      authenticatorData: base64url(4_096),
      signature: base64url(8_192),
      userHandle: base64url(128).nullish(),
    }),
  })
  .meta({ id: 'PasskeyAssertion', description: 'The JSON of the credential, as browsers return it (WebAuthn)' })
export type PasskeyAssertion = z.infer<typeof PasskeyAssertion>

/** What the API reads of `PublicKeyCredential.toJSON()` after `navigator.credentials.create()`. */
export const PasskeyAttestation = z
  .object({
    id: credentialId,
    rawId: credentialId,
    type: z.literal('public-key'),
    response: z.object({
      clientDataJSON: clientDataJson,
      attestationObject: base64url(32_768),
      transports: transports.optional(),
    }),
  })
  .meta({ id: 'PasskeyAttestation', description: 'The JSON of the new credential, as browsers return it (WebAuthn)' })
export type PasskeyAttestation = z.infer<typeof PasskeyAttestation>

const descriptor = z.object({ id: z.string(), type: z.literal('public-key'), transports })

/** The argument of `PublicKeyCredential.parseRequestOptionsFromJSON()`. */
export const PasskeyRequestOptions = z
  .object({
    challenge: z.string(),
    timeout: z.number().int().meta({ description: 'Milliseconds' }),
    rpId: z.string(),
    allowCredentials: z.array(descriptor),
    userVerification: z.literal('required'),
  })
  .meta({ id: 'PasskeyRequestOptions' })

/** The argument of `PublicKeyCredential.parseCreationOptionsFromJSON()`. */
export const PasskeyCreationOptions = z
  .object({
    challenge: z.string(),
    timeout: z.number().int().meta({ description: 'Milliseconds' }),
    rp: z.object({ id: z.string(), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.number().int() })),
    excludeCredentials: z.array(descriptor),
    authenticatorSelection: z.object({
      residentKey: z.literal('required'),
      requireResidentKey: z.literal(true),
      userVerification: z.literal('required'),
    }),
    attestation: z.literal('none'),
  })
  .meta({ id: 'PasskeyCreationOptions' })

/** A passkey of the signed-in user. */
export const Passkey = z
  .object({
    passkey_id: id('pkey'),
    name: z.string(),
    synced: z.boolean().meta({ description: 'True if a password manager keeps a copy of it on other devices' }),
    created_at: timestamp(),
    last_used_at: timestamp().nullable(),
  })
  .meta({ id: 'Passkey' })

export const passkeyPath = z.object({ passkey_id: id('pkey') })

/** How the signed-in user may sign in. */
export const PasskeySettings = z
  .object({
    user_id: id('usr'),
    required: z.boolean().meta({ description: 'True if the user signs in with passkeys only' }),
    recovery: z
      .object({
        requested_at: timestamp(),
        available_at: timestamp().meta({ description: 'From then on a sign-in without a passkey ends `required`' }),
      })
      .nullable()
      .meta({ description: 'A recovery that was requested by mail; null if there is none' }),
  })
  .meta({ id: 'PasskeySettings' })
