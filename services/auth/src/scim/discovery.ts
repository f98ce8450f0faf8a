import { scimPath } from '@wp/contracts'
import { groupSchema, userSchema } from './resources.ts'

const schemaOfSchemas = 'urn:ietf:params:scim:schemas:core:2.0:Schema'

/** Returns the configuration of the service (RFC 7643 section 5). */
export const serviceProviderConfig = (base: string) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  documentationUri: `${base}/docs/guides/sso`,
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: 200 },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'A token of POST /v1/auth/scim-tokens',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}${scimPath}/ServiceProviderConfig` },
})

/** Returns the resource types (RFC 7643 section 6). */
export const resourceTypes = (base: string) =>
  (
    [
      ['User', userSchema],
      ['Group', groupSchema],
    ] as const
  ).map(([name, schema]) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    id: name,
    name,
    endpoint: `/${name}s`,
    schema,
    meta: { resourceType: 'ResourceType', location: `${base}${scimPath}/ResourceTypes/${name}` },
  }))

interface AttributeOptions {
  type?: 'string' | 'boolean' | 'complex' | 'reference'
  required?: boolean
  multiValued?: boolean
  mutability?: 'readWrite' | 'readOnly' | 'immutable'
  uniqueness?: 'none' | 'server'
  caseExact?: boolean
  subAttributes?: object[]
}

const attribute = (name: string, description: string, options: AttributeOptions = {}) => ({
  name,
  type: 'string',
  multiValued: false,
  description,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...options,
})

const userSchemaAttributes = [
  attribute('userName', 'Name of the user in the directory', { required: true, uniqueness: 'server' }),
  attribute('name', 'The parts of the name', {
    type: 'complex',
    subAttributes: [
      attribute('formatted', 'The whole name'),
      attribute('familyName', 'Family name'),
      attribute('givenName', 'Given name'),
    ],
  }),
  attribute('displayName', 'The name to show'),
  attribute('title', 'Job title'),
  attribute('preferredLanguage', 'Preferred language'),
  attribute('locale', 'Locale'),
  attribute('timezone', 'Time zone'),
  attribute('active', 'False removes the member', { type: 'boolean' }),
  attribute('emails', 'Mail addresses; the primary one finds the account', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('value', 'Mail address'),
      attribute('type', 'Kind, as work'),
      attribute('primary', 'True for one address', { type: 'boolean' }),
    ],
  }),
  attribute('groups', 'The groups of the user', {
    type: 'complex',
    multiValued: true,
    mutability: 'readOnly',
    subAttributes: [
      attribute('value', 'Identifier of the group', { mutability: 'readOnly' }),
      attribute('display', 'Name of the group', { mutability: 'readOnly' }),
    ],
  }),
]

const groupSchemaAttributes = [
  attribute('displayName', 'Name of the group', { required: true, uniqueness: 'server' }),
  attribute('members', 'The users of the group', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('value', 'Identifier of the user', { mutability: 'immutable' }),
      attribute('display', 'Name of the user', { mutability: 'readOnly' }),
      attribute('type', 'Always User', { mutability: 'immutable' }),
    ],
  }),
]

/** Returns the schemas (RFC 7643 section 7) with the attributes that are kept. */
export const schemas = (base: string) =>
  (
    [
      [userSchema, 'User', 'A user of the directory', userSchemaAttributes],
      [groupSchema, 'Group', 'A group of the directory', groupSchemaAttributes],
    ] as const
  ).map(([id, name, description, attributes]) => ({
    schemas: [schemaOfSchemas],
    id,
    name,
    description,
    attributes,
    meta: { resourceType: 'Schema', location: `${base}${scimPath}/Schemas/${id}` },
  }))
