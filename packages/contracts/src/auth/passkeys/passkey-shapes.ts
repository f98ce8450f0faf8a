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
const transports = boundedArray(text(32), 10).describe(
  'How the authenticator can be reached, such as `internal`, `hybrid` or `usb`',
)
const clientDataJson = base64url(4_096).describe('Operation, challenge and origin, as the browser saw them')
const publicKeyType = z.literal('public-key').describe('The only kind of credential')
const challenge = z.string().describe('To be signed by the authenticator; works once')
const timeout = z.number().int().describe('Milliseconds until the challenge expires')
const userVerification = z.literal('required').describe('The authenticator asks for a PIN, a finger or a face')

/** Browsers send members that the API does not read, and leaves out. */
const withOthers = { additionalProperties: true }

/** Members of a credential that both answers of a browser have. */
const credential = {
  id: credentialId.describe('Identifier of the credential'),
  rawId: credentialId.describe('Equal to `id`'),
  type: publicKeyType,
}

/** The read members of `PublicKeyCredential.toJSON()` after `navigator.credentials.get()`; others are ignored. */
export const PasskeyAssertion = z
  .object({
    ...credential,
    response: z
      .object({
        clientDataJSON: clientDataJson,
        authenticatorData: base64url(4_096).describe('Relying party, flags and counter'),
        signature: base64url(8_192).describe('Signature over the authenticator and client data'),
        userHandle: base64url(128).nullish().describe('The `user.id` of the registration'),
      })
      .meta({ description: 'What the authenticator returned', ...withOthers }),
  })
  .meta({
    id: 'PasskeyAssertion',
    description: 'The JSON of the credential, as browsers return it (WebAuthn)',
    ...withOthers,
  })
export type PasskeyAssertion = z.infer<typeof PasskeyAssertion>

/** The read members of `PublicKeyCredential.toJSON()` after `navigator.credentials.create()`. */
export const PasskeyAttestation = z
  .object({
    ...credential,
    response: z
      .object({
        clientDataJSON: clientDataJson,
        attestationObject: base64url(32_768).describe('The new public key, without an attestation'),
        transports: transports.optional(),
      })
      .meta({ description: 'What the authenticator returned', ...withOthers }),
  })
  .meta({
    id: 'PasskeyAttestation',
    description: 'The JSON of the new credential, as browsers return it (WebAuthn)',
    ...withOthers,
  })
export type PasskeyAttestation = z.infer<typeof PasskeyAttestation>

const descriptor = z.object({
  id: z.string().describe('Identifier of the credential'),
  type: publicKeyType,
  transports,
})

/** The argument of `PublicKeyCredential.parseRequestOptionsFromJSON()`. */
export const PasskeyRequestOptions = z
  .object({
    challenge,
    timeout,
    rpId: z.string().describe('Host of the platform, for which the passkeys were made'),
    allowCredentials: z
      .array(descriptor)
      .describe('The passkeys of the signed-in user; empty for a sign-in, where any may answer'),
    userVerification,
  })
  .meta({ id: 'PasskeyRequestOptions' })

/** The argument of `PublicKeyCredential.parseCreationOptionsFromJSON()`. */
export const PasskeyCreationOptions = z
  .object({
    challenge,
    timeout,
    rp: z
      .object({
        id: z.string().describe('Host of the platform'),
        name: z.string().describe('Name of the product'),
      })
      .describe('The platform, as relying party'),
    user: z
      .object({
        id: z.string().describe('The user id in base64url'),
        name: z.string().describe('Mail address of the user'),
        displayName: z.string().describe('Name of the user, or the address'),
      })
      .describe('What authenticators show and keep of the user'),
    pubKeyCredParams: z
      .array(
        z.object({
          type: publicKeyType,
          alg: z.number().int().describe('Number of the algorithm in the COSE registry'),
        }),
      )
      .describe('Accepted signature algorithms, the preferred one first'),
    excludeCredentials: z
      .array(descriptor)
      .describe('Passkeys that the user has, so that no authenticator makes a second one'),
    authenticatorSelection: z
      .object({
        residentKey: z.literal('required').describe('The credential can be found without an address'),
        requireResidentKey: z.literal(true).describe('As `residentKey`, for older browsers'),
        userVerification,
      })
      .describe('What an authenticator must be able to do'),
    attestation: z.literal('none').describe('The maker of the authenticator need not be proved'),
  })
  .meta({ id: 'PasskeyCreationOptions' })

/** A passkey of the signed-in user. */
export const Passkey = z
  .object({
    passkey_id: id('pkey'),
    name: z.string().describe('Chosen by the user; at first, browser and system'),
    synced: z.boolean().describe('True if a password manager keeps a copy of it on other devices'),
    created_at: timestamp(),
    last_used_at: timestamp().nullable().describe('Last sign-in or re-authentication with it; null before'),
  })
  .meta({ id: 'Passkey' })

export const passkeyPath = z.object({ passkey_id: id('pkey') })

/** The ways in which the signed-in user may sign in. */
export const PasskeySettings = z
  .object({
    user_id: id('usr'),
    required: z.boolean().describe('True if the user signs in with passkeys only'),
    recovery: z
      .object({
        requested_at: timestamp().describe('When the recovery was requested'),
        available_at: timestamp().describe('From then on a sign-in without a passkey ends `required`'),
      })
      .nullable()
      .describe('A recovery that was requested by mail; null if there is none'),
  })
  .meta({ id: 'PasskeySettings' })
