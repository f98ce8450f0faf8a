import { z } from 'zod'
import { declareEndpoints } from '../../core/endpoint/endpoint.ts'
import { id } from '../../core/shape/id.ts'
import { listQuery, text, timestamp } from '../../core/shape/shape.ts'

const issuer = z
  .string()
  .max(500)
  .refine((value) => URL.canParse(value) && !/[?#]/.test(value), 'must be the address of an issuer, without a query')
  .meta({ examples: ['https://login.example.com'] })

/** A domain of mail addresses in lower case, without a dot at the end. */
const domain = z
  .string()
  .max(253)
  .toLowerCase()
  .regex(
    /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/,
    'must be a domain, as acme.com',
  )
  .meta({ description: 'A domain of mail addresses', examples: ['example.com'] })

export const SsoKind = z.enum(['oidc', 'saml']).meta({
  id: 'SsoKind',
  description: 'Protocol of the sign-in: OpenID Connect, or SAML 2.0',
  examples: ['oidc'],
})

const SamlCertificate = z
  .object({
    subject: z.string().describe('Distinguished name of the certificate'),
    fingerprint: z.string().describe('SHA-256 of the certificate, hexadecimal with colons'),
    expires_at: timestamp().describe('For information: the key is trusted while the metadata has it'),
  })
  .meta({ id: 'SamlCertificate' })

const SamlProvider = z
  .object({
    metadata_url: z.string().nullable().describe('Null if the metadata was given as a file'),
    sign_in_url: z.string().describe('Where browsers are sent to sign in'),
    certificates: z
      .array(SamlCertificate)
      .max(10)
      .describe('Certificates of the metadata. A signature of any of them is accepted'),
    signs_requests: z.boolean().describe('True if the metadata demands signed requests'),
    encryption_certificate: z
      .string()
      .describe('In PEM. Assertions may be encrypted for it; it also verifies signed requests'),
    checked_at: timestamp().describe('Time of the last metadata that was used'),
    failure: z.string().nullable().describe('Reason why the last check kept the earlier metadata'),
  })
  .meta({ id: 'SamlProvider' })

export const SsoConnection = z
  .object({
    workspace_id: id('ws'),
    kind: SsoKind,
    issuer: z.string().describe('The issuer; with SAML, the entity id of the identity provider'),
    client_id: z
      .string()
      .describe(
        'Name of the workspace at the provider; with SAML, the entity id of the service provider, which is the address of its metadata',
      ),
    groups_claim: z.string().describe('Claim of the ID token, or attribute of the assertion, with the names of groups'),
    saml: SamlProvider.nullable().describe('Null with OpenID Connect'),
    required: z.boolean().describe('True if members see the workspace only in sessions of this sign-in'),
    break_glass_user_id: id('usr')
      .nullable()
      .describe('The owner who may still sign in otherwise while `required` is true'),
    redirect_uri: z.string().describe('Register it at the provider; with SAML, as the assertion consumer service'),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'SsoConnection' })

export const SsoConnectionPatch = z.strictObject({
  kind: SsoKind.optional().describe('Default: that of the connection, or else `oidc`'),
  issuer: issuer.optional().describe('Address of the OpenID provider, without a query'),
  client_id: text(500).optional().describe('Name of the platform at the provider'),
  client_secret: text(2_000).optional().describe('Client secret at the provider; never shown again'),
  metadata_url: z
    .string()
    .max(500)
    .refine((value) => URL.canParse(value) && !value.includes('#'), 'must be an address')
    .optional()
    .describe('Address of the metadata of the SAML identity provider, which is read again every hour'),
  metadata_xml: z.string().max(262_144).optional().describe('The metadata of the SAML identity provider itself'),
  groups_claim: text(100)
    .optional()
    .describe('Claim of the ID token, or attribute of the assertion, with the names of groups'),
  required: z.boolean().optional().describe('True lets members see the workspace only in sessions of this sign-in'),
  break_glass_user_id: id('usr')
    .nullable()
    .optional()
    .describe('The owner who may still sign in otherwise while `required` is true'),
})

export const SsoDomain = z
  .object({
    domain: z.string().describe('What follows the `@` of the addresses'),
    txt_name: z.string().describe('Name of the DNS record of type TXT'),
    txt_value: z.string().describe('Value of the record'),
    verified_at: timestamp().nullable().describe('Null until the record was found'),
    created_at: timestamp(),
  })
  .meta({ id: 'SsoDomain' })

const connection = '/v1/auth/sso-connection'
const domains = '/v1/auth/sso-domains'
const domainPath = z.object({ domain })

/** Sign-in with the identity provider of a company, and the domains of its addresses. */
export const authSso = declareEndpoints('auth', {
  getSsoConnection: {
    method: 'GET',
    path: connection,
    summary: 'Read the connection to the identity provider of the workspace',
    description: 'The client secret is not shown. 404 without a connection.',
    scope: 'auth:read',
    ok: SsoConnection,
    errors: ['not_found'],
  },
  updateSsoConnection: {
    method: 'PATCH',
    path: connection,
    summary: 'Create or change the connection to the identity provider of the workspace',
    description:
      'With OpenID Connect, the first request needs `issuer`, `client_id` and `client_secret`; the metadata of the issuer is read at once. Another `issuer` needs `client_secret` again. With `kind` `saml`, it needs `metadata_url` or `metadata_xml`. `required` needs a verified domain and an owner as `break_glass_user_id`.',
    scope: 'auth:admin',
    body: SsoConnectionPatch,
    ok: SsoConnection,
    errors: ['owner_required', 'conflict', 'invalid_endpoint', 'bad_gateway'],
    audit: { action: 'sso_connection.changed', target: 'workspace', field: 'workspace_id' },
  },
  deleteSsoConnection: {
    method: 'DELETE',
    path: connection,
    summary: 'Delete the connection to the identity provider of the workspace',
    description: 'Members sign in by mail again. Domains stay.',
    scope: 'auth:admin',
    deleted: 'workspace_id',
    errors: ['not_found'],
    audit: { action: 'sso_connection.deleted', target: 'workspace', field: 'workspace_id' },
  },
  testSsoConnection: {
    method: 'POST',
    path: `${connection}/test`,
    summary: 'Start a test of the connection, which shows the claims of the provider',
    description:
      'Open `url` in a browser within ten minutes: after the sign-in at the provider, a page shows the claims, or the attributes of the assertion, with their values shortened. The test signs no one in.',
    scope: 'auth:admin',
    ok: z
      .object({
        workspace_id: id('ws'),
        url: z.string().describe('Page of the sign-in at the provider, to be opened in a browser'),
        expires_at: timestamp().describe('When the test can no longer be started'),
      })
      .meta({ id: 'SsoTest' }),
    errors: ['not_found'],
    audit: { action: 'sso_connection.tested', target: 'workspace', field: 'workspace_id' },
  },
  listSsoDomains: {
    method: 'GET',
    path: domains,
    summary: 'List the domains of the workspace',
    description: 'Newest first, verified or not.',
    scope: 'auth:read',
    query: listQuery({}),
    list: SsoDomain,
  },
  createSsoDomain: {
    method: 'POST',
    path: domains,
    summary: 'Add a domain, to be proved by a DNS record',
    description: 'Create the TXT record of the response, then verify the domain. A workspace has at most 50 domains.',
    scope: 'auth:admin',
    body: z.strictObject({ domain }),
    created: SsoDomain,
    location: `${domains}/{domain}`,
    errors: ['conflict'],
    audit: { action: 'sso_domain.added', target: 'domain', field: 'domain' },
  },
  getSsoDomain: {
    method: 'GET',
    path: `${domains}/{domain}`,
    summary: 'Read a domain of the workspace',
    description: 'The response has the TXT record that proves the domain.',
    scope: 'auth:read',
    params: domainPath,
    ok: SsoDomain,
  },
  verifySsoDomain: {
    method: 'POST',
    path: `${domains}/{domain}/verify`,
    summary: 'Verify a domain by its DNS record',
    description: 'Looks up the TXT record. A domain can be verified in one workspace only.',
    scope: 'auth:admin',
    params: domainPath,
    ok: SsoDomain,
    errors: ['conflict'],
    audit: { action: 'sso_domain.verified', target: 'domain', field: 'domain' },
  },
  deleteSsoDomain: {
    method: 'DELETE',
    path: `${domains}/{domain}`,
    summary: 'Delete a domain of the workspace',
    description: 'Addresses of the domain can no longer sign in with the connection.',
    scope: 'auth:admin',
    params: domainPath,
    deleted: 'domain',
    audit: { action: 'sso_domain.deleted', target: 'domain', field: 'domain' },
  },
})
