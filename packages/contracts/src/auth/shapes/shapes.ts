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
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.number().int(),
    scope: z.string(),
  })
  .meta({ id: 'TokenResponse' })

export const ApiKey = z
  .object({
    key_id: id('akey'),
    name: z.string().nullable(),
    scopes: z.array(z.enum(scopes)),
    last4: z.string(),
    created_by: z.string(),
    creator_removed: z.boolean(),
    created_at: timestamp(),
    expires_at: timestamp().nullable(),
    last_used_at: timestamp().nullable(),
    rotated_at: timestamp().nullable(),
  })
  .meta({ id: 'ApiKey' })

export const NewApiKey = z.strictObject({
  name: resourceName(100).optional(),
  scopes: scopeList.optional(),
  expires_at: timeInput().optional(),
})

export const ApiKeyWithSecret = z
  .object({
    key_id: id('akey'),
    api_key: z.string(),
    name: z.string().nullable(),
    scopes: z.array(z.enum(scopes)),
    last4: z.string(),
    created_at: timestamp(),
    expires_at: timestamp().nullable(),
  })
  .meta({ id: 'ApiKeyWithSecret' })

export const environments = ['production', 'sandbox', 'development'] as const

export const ServicePrincipal = z
  .object({
    client_id: id('sp'),
    workspace_id: id('ws'),
    name: z.string(),
    scopes: z.array(z.enum(scopes)),
    environment: z.enum(environments).nullable(),
    status: z.enum(['active', 'disabled']),
    created_by: z.string(),
    creator_removed: z.boolean(),
    created_at: timestamp(),
    updated_at: timestamp(),
    last_used_at: timestamp().nullable(),
    secret_rotated_at: timestamp().nullable(),
  })
  .meta({ id: 'ServicePrincipal' })

export const ServicePrincipalWithSecret = ServicePrincipal.extend({ client_secret: z.string() }).meta({
  id: 'ServicePrincipalWithSecret',
})

const Membership = z.object({ workspace_id: id('ws'), name: z.string(), role: z.string() })

export const Profile = z
  .object({
    principal_type: z.enum(principalTypes),
    user_id: id('usr').optional(),
    email: z.string().optional(),
    name: z.string().nullable().optional(),
    locale: z.string().nullable().optional(),
    timezone: z.string().nullable().optional(),
    avatar_url: z.string().nullable().optional(),
    workspaces: z.array(Membership).optional(),
    client_id: id('sp').optional(),
    key_id: id('akey').optional(),
    environment: z.string().nullable().optional(),
    credential: z.object({
      type: z.enum(['bearer', 'api_key']),
      scopes: z.array(z.enum(scopes)),
      workspace_id: id('ws').nullable(),
      expires_at: timestamp().nullable(),
      authenticated_at: timestamp().optional().meta({
        description: 'The last authentication of the user in this session: the sign-in, or a re-authentication',
      }),
    }),
  })
  .meta({ id: 'Profile' })

export const apiKeyPath = z.object({ key_id: id('akey') })
export const servicePrincipalPath = z.object({ client_id: id('sp') })
