import { z } from 'zod'
import { declareEndpoints } from '../../core/endpoint/endpoint.ts'
import { linkQuery } from '../../core/shape/link.ts'
import { resourceName } from '../../core/shape/resource-name.ts'
import { listQuery, text, timestamp } from '../../core/shape/shape.ts'
import { codeChallenge } from '../sign-in.ts'
import {
  Passkey,
  PasskeyAttestation,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
  PasskeySettings,
  passkeyPath,
} from './passkey-shapes.ts'

/** Common to the endpoints about the passkeys of the signed-in user, which belong to no workspace. */
const ofSignedInUser = { credentials: ['bearer'], principals: ['user'], workspace: 'none' } as const

/** Common to the endpoints of a browser that is not signed in. */
const anonymous = { credentials: 'none', workspace: 'none' } as const

const passkeys = '/v1/auth/passkeys'
const settings = '/v1/auth/passkey-settings'
const recovery = '/v1/auth/login/recovery'
const optionsExpiry = timestamp().describe('When the options can no longer be answered')
const linkBody = z.strictObject({ token: z.string().max(1_000).optional() })

/** Passkeys: registration, sign-in, re-authentication, and the choice to sign in with nothing else. */
export const authPasskeys = declareEndpoints('auth', {
  listPasskeys: {
    method: 'GET',
    path: passkeys,
    summary: 'List the passkeys of the signed-in user',
    description: 'Newest first. A user has at most 20.',
    ...ofSignedInUser,
    query: listQuery({}),
    list: Passkey,
  },
  startPasskeyRegistration: {
    method: 'POST',
    path: `${passkeys}/registration`,
    summary: 'Get the options with which a browser creates a passkey',
    description:
      'Pass `options` to `navigator.credentials.create()`, and its result to `POST /v1/auth/passkeys` within five minutes ' +
      'in the same session. Requires an authentication within the last 10 minutes, in every session.',
    ...ofSignedInUser,
    ok: z.object({ expires_at: optionsExpiry, options: PasskeyCreationOptions }),
    stepUp: true,
    errors: ['quota_exceeded'],
  },
  createPasskey: {
    method: 'POST',
    path: passkeys,
    summary: 'Add a passkey to the account of the signed-in user',
    description:
      'The credential must be discoverable, verify its user, and be created on the page of the platform by the options of ' +
      'this session. Attestation is neither requested nor checked.',
    ...ofSignedInUser,
    body: z.strictObject({
      name: resourceName(100).optional().describe('Default: browser and system'),
      credential: PasskeyAttestation,
    }),
    created: Passkey,
    location: passkeys,
    stepUp: true,
    errors: ['invalid_login', 'conflict', 'quota_exceeded'],
    audit: { action: 'passkey.created', target: 'passkey', field: 'passkey_id' },
  },
  updatePasskey: {
    method: 'PATCH',
    path: `${passkeys}/{passkey_id}`,
    summary: 'Rename a passkey of the signed-in user',
    description: 'The name tells the passkeys of the user apart; authenticators do not see it.',
    ...ofSignedInUser,
    params: passkeyPath,
    body: z.strictObject({ name: resourceName(100).optional().describe('Shown in the list of passkeys') }),
    ok: Passkey,
    audit: { action: 'passkey.updated', target: 'passkey', field: 'passkey_id' },
  },
  deletePasskey: {
    method: 'DELETE',
    path: `${passkeys}/{passkey_id}`,
    summary: 'Delete a passkey of the signed-in user; it no longer signs in',
    description:
      'Sessions that it began go on. The last passkey of a user who signs in with passkeys only cannot be deleted (409). ' +
      'Requires an authentication within the last 10 minutes, in every session.',
    ...ofSignedInUser,
    params: passkeyPath,
    deleted: 'passkey_id',
    stepUp: true,
    errors: ['conflict'],
    audit: { action: 'passkey.deleted', target: 'passkey' },
  },
  startPasskeyLogin: {
    method: 'POST',
    path: '/v1/auth/login/passkey',
    summary: 'Get the options with which a browser signs in by passkey',
    description:
      'The browser offers the passkeys it has for this platform; no address is sent, so the answer tells nothing about ' +
      'accounts. Pass `options` to `navigator.credentials.get()`, and its result with the verifier of `code_challenge` to ' +
      '`POST /v1/auth/verify` within five minutes.',
    ...anonymous,
    body: z.strictObject({ code_challenge: codeChallenge }),
    ok: z.object({ expires_at: optionsExpiry, options: PasskeyRequestOptions }),
  },
  startPasskeyReauthentication: {
    method: 'POST',
    path: '/v1/auth/reauthentication/passkey',
    summary: 'Get the options for the re-authentication of this session by passkey',
    description:
      'Pass `options` to `navigator.credentials.get()`, and its result to `POST /v1/auth/reauthentication/verify` within ' +
      'five minutes in the same session. 409 if the user has no passkey.',
    ...ofSignedInUser,
    ok: z.object({ expires_at: optionsExpiry, options: PasskeyRequestOptions }),
    errors: ['conflict'],
  },
  getPasskeySettings: {
    method: 'GET',
    path: settings,
    summary: 'Get how the signed-in user may sign in',
    description: 'With passkeys only, or also by mail and with providers; and the recovery that is under way.',
    ...ofSignedInUser,
    ok: PasskeySettings,
  },
  updatePasskeySettings: {
    method: 'PATCH',
    path: settings,
    summary: 'Choose to sign in with passkeys only, or no longer',
    description:
      'While `required` is true, mail codes, links and providers do not sign this user in (403 `passkey_required`). It ' +
      'needs a passkey. Requires an authentication within the last 10 minutes, in every session.',
    ...ofSignedInUser,
    body: z.strictObject({
      required: z.boolean().optional().describe('True to sign in with passkeys only'),
    }),
    ok: PasskeySettings,
    stepUp: true,
    errors: ['conflict'],
    audit: { action: 'passkey_settings.updated', target: 'user', field: 'user_id' },
  },
  cancelPasskeyRecovery: {
    method: 'POST',
    path: `${settings}/recovery/cancel`,
    summary: 'Cancel the recovery of the account of the signed-in user',
    description: 'For a recovery by mail that the user did not request. 409 if none is under way.',
    ...ofSignedInUser,
    ok: PasskeySettings,
    errors: ['conflict'],
    audit: { action: 'passkey_recovery.cancelled', target: 'user', field: 'user_id' },
  },
  startPasskeyRecovery: {
    method: 'POST',
    path: recovery,
    summary: 'Request the recovery of an account whose passkeys are lost',
    description:
      'Takes the code of a sign-in mail that `verify` answered with `passkey_required`. After a delay, a day by default, a ' +
      'sign-in by mail works again. The user and the owners of their workspaces are told by mail at once, and the user can ' +
      'cancel it from that mail and from every session.',
    ...anonymous,
    body: z.strictObject({
      login_id: text(100).describe('The `login_id` of the login'),
      code: text(64).describe('The code in the mail'),
    }),
    ok: z.object({
      available_at: timestamp().describe('From then on a sign-in by mail ends `required`'),
    }),
    setsHeaders: true,
    errors: ['invalid_login', 'signup_closed', 'conflict', 'rate_limited'],
  },
  showPasskeyRecovery: {
    method: 'GET',
    path: `${recovery}/cancel`,
    summary: 'The page on which a recovery is cancelled; opening it changes nothing',
    ...anonymous,
    query: linkQuery,
    response: 'html',
  },
  cancelPasskeyRecoveryByLink: {
    method: 'POST',
    path: `${recovery}/cancel`,
    summary: 'Cancel a recovery from the page of its mail',
    ...anonymous,
    input: 'form',
    body: linkBody,
    response: 'html',
  },
  showSignInAlert: {
    method: 'GET',
    path: '/v1/auth/login/alert',
    summary: 'The page that the link of a sign-in alert opens; opening it changes nothing',
    ...anonymous,
    query: linkQuery,
    response: 'html',
  },
  endReportedSession: {
    method: 'POST',
    path: '/v1/auth/login/alert',
    summary: 'End the session of a sign-in that was not by the user',
    ...anonymous,
    input: 'form',
    body: linkBody,
    response: 'html',
  },
})
