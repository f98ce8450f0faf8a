import { z } from 'zod'
import { principalTypes } from '../../core/endpoint/caller.ts'
import { scopes } from '../../core/endpoint/scope.ts'
import { id } from '../../core/shape/id.ts'
import { resourceParameter } from '../../core/shape/resource.ts'
import { resourceName } from '../../core/shape/resource-name.ts'
import { timestamp } from '../../core/shape/shape.ts'
import { timeInput } from '../../core/shape/time-input.ts'

export const scopeList = z.array(z.enum(scopes)).min(1).max(scopes.length)

export const TokenRequest = z
  .object({
    grant_type: z.string().max(100).optional(),
    client_id: z.string().max(1000).optional(),
    client_secret: z.string().max(500).optional(),
    workspace_id: z.string().max(200).optional(),
    scope: z.string().max(2000).optional(),
    resource: resourceParameter(),
    refresh_token: z.string().max(1000).optional(),
    code: z.string().max(1000).optional(),
    redirect_uri: z.string().max(2000).optional(),
    code_verifier: z.string().max(128).optional(),
  })
  .meta({ id: 'TokenRequest' })

export const TokenResponse = z
  .object({
    access_token: z.string().describe('Send it as `Authorization: Bearer`'),
    token_type: z.literal('Bearer').describe('How the token is used'),
    expires_in: z.number().int().describe('Seconds until it expires'),
    scope: z.string().describe('Scopes of the token, separated by spaces'),
  })
  .meta({ id: 'TokenResponse' })

export const ApiKey = z
  .object({
    key_id: id('akey'),
    name: z.string().nullable().describe('Name for people; null without one'),
    scopes: z.array(z.enum(scopes)).describe('What requests with the key may do'),
    last4: z.string().describe('Last four characters of the key, to recognize it'),
    created_by: z.string().describe('The principal that created it'),
    creator_removed: z
      .boolean()
      .describe('True if that principal is no longer in the workspace; the key works all the same'),
    created_at: timestamp(),
    expires_at: timestamp().nullable().describe('When it stops working; null: never'),
    last_used_at: timestamp().nullable().describe('Time of its last request, not exact; null before the first'),
    rotated_at: timestamp().nullable().describe('When its secret was last replaced; null if it never was'),
  })
  .meta({ id: 'ApiKey' })

export const NewApiKey = z.strictObject({
  name: resourceName(100).optional().describe('Name for people'),
  scopes: scopeList
    .optional()
    .describe('What requests with the key may do; default: all scopes of the caller that keys can have'),
  expires_at: timeInput().optional().describe('When the key stops working; default: never'),
})

export const ApiKeyWithSecret = z
  .object({
    key_id: id('akey'),
    api_key: z.string().describe('The key, shown in this response only; send it as `x-api-key`'),
    name: z.string().nullable().describe('Name for people; null without one'),
    scopes: z.array(z.enum(scopes)).describe('What requests with the key may do'),
    last4: z.string().describe('Last four characters of the key, to recognize it'),
    created_at: timestamp(),
    expires_at: timestamp().nullable().describe('When it stops working; null: never'),
  })
  .meta({ id: 'ApiKeyWithSecret' })

export const environments = ['production', 'sandbox', 'development'] as const

export const ServicePrincipal = z
  .object({
    client_id: id('sp'),
    workspace_id: id('ws'),
    name: z.string().describe('Name for people'),
    scopes: z.array(z.enum(scopes)).describe('What its tokens may do at most'),
    environment: z.enum(environments).nullable().describe('Your own label for where it runs; null without one'),
    status: z.enum(['active', 'disabled']).describe('A `disabled` one gets no tokens, and those it has stop working'),
    created_by: z.string().describe('The principal that created it'),
    creator_removed: z
      .boolean()
      .describe('True if that principal is no longer in the workspace; the service principal works all the same'),
    created_at: timestamp(),
    updated_at: timestamp(),
    last_used_at: timestamp().nullable().describe('When it last obtained a token, not exact; null before the first'),
    secret_rotated_at: timestamp().nullable().describe('When its secret was last replaced; null if it never was'),
  })
  .meta({ id: 'ServicePrincipal' })

export const ServicePrincipalWithSecret = ServicePrincipal.extend({
  client_secret: z.string().describe('The secret, shown in this response only'),
}).meta({
  id: 'ServicePrincipalWithSecret',
})

const Membership = z.object({
  workspace_id: id('ws'),
  name: z.string().describe('Name of the workspace'),
  role: z.string().describe('Role of the user in it'),
})

export const Profile = z
  .object({
    principal_type: z.enum(principalTypes).describe('Kind of the caller, on which the other fields depend'),
    user_id: id('usr').optional(),
    email: z.string().optional().describe('Mail address of the user'),
    name: z.string().nullable().optional().describe('Name of the user; null without one'),
    locale: z.string().nullable().optional().describe('Language of the user (BCP 47); null: that of the workspace'),
    timezone: z.string().nullable().optional().describe('IANA time zone of the user; null: that of the workspace'),
    avatar_url: z.string().nullable().optional().describe('Address of a picture of the user; null without one'),
    workspaces: z.array(Membership).optional().describe('Workspaces that the user is a member of'),
    client_id: id('sp').optional(),
    key_id: id('akey').optional(),
    environment: z
      .string()
      .nullable()
      .optional()
      .describe('Label of the service principal for where it runs; null without one'),
    credential: z
      .object({
        type: z.enum(['bearer', 'api_key']).describe('Kind of the credential'),
        scopes: z.array(z.enum(scopes)).describe('What the credential may do in the workspace of the request'),
        workspace_id: id('ws')
          .nullable()
          .describe('Workspace that the credential is for; null if it is for all of the user'),
        expires_at: timestamp().nullable().describe('When it expires; null: never'),
        authenticated_at: timestamp()
          .optional()
          .describe('The last authentication of the user in this session: the sign-in, or a re-authentication'),
      })
      .describe('The credential of this request'),
  })
  .meta({ id: 'Profile' })

export const apiKeyPath = z.object({ key_id: id('akey') })
export const servicePrincipalPath = z.object({ client_id: id('sp') })
