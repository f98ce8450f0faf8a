import { z } from 'zod'
import { id } from '../../core/shape/id.ts'

const common = {
  scope: z.string().max(2000).optional().describe('Limits the scopes of the token; separated by spaces'),
  resource: z
    .string()
    .max(2000)
    .optional()
    .describe(
      'Resource that the token is for (RFC 8707): the base address, or the address of the MCP endpoint. In a form it may occur several times',
    ),
}

const workspace = {
  workspace_id: id('ws').optional().describe('Workspace that the token belongs to'),
}

const ClientCredentialsForm = z
  .strictObject({
    grant_type: z.literal('client_credentials').optional().describe('Required in a form'),
    client_id: z.string().max(1000).optional().describe('Absent if sent by HTTP Basic'),
    client_secret: z.string().max(500).optional().describe('Absent if sent by HTTP Basic'),
    ...workspace,
    ...common,
  })
  .meta({ id: 'ClientCredentialsForm', description: 'Form A: a service principal (RFC 6749 section 4.4)' })

const RefreshTokenForm = z
  .strictObject({
    grant_type: z.literal('refresh_token').optional().describe('Required in a form'),
    refresh_token: z.string().max(1000).describe('The refresh token of the last response; works once'),
    client_id: z.string().max(1000).optional().describe('The client of the session; default: the console'),
    ...workspace,
    ...common,
  })
  .meta({ id: 'RefreshTokenForm', description: 'Form B: the next tokens of a session (RFC 6749 section 6)' })

const AuthorizationCodeForm = z
  .strictObject({
    grant_type: z.literal('authorization_code').optional().describe('Required in a form'),
    code: z.string().max(1000).describe('The code of the redirect; works once, for 60 seconds'),
    redirect_uri: z.string().max(2000).describe('The address of the redirect'),
    code_verifier: z.string().min(43).max(128).describe('The verifier of the challenge (RFC 7636)'),
    client_id: z.string().max(1000).describe('The client that was authorized'),
    ...workspace,
    ...common,
  })
  .meta({ id: 'AuthorizationCodeForm', description: 'Form C: a client that a user has authorized, with PKCE' })

/** The forms of a token request, for the OpenAPI document. The operation itself checks the fields, as OAuth demands. */
export const TokenForms = z.xor([ClientCredentialsForm, RefreshTokenForm, AuthorizationCodeForm])
