import type { NewWebhookAuthentication, WebhookAuthentication } from '@wp/contracts'
import type { z } from 'zod'

export type AuthenticationInput = z.input<typeof NewWebhookAuthentication>
export type AuthenticationType = AuthenticationInput['type']

/** The change of the authentication of a subscription: it stays, or is replaced by a value (null: none). */
export interface AuthenticationChoice {
  isKept: boolean
  value: AuthenticationInput | null
}

interface AuthenticationField {
  name: string
  label: string
  hint?: string
  isOptional?: true
  isSecret?: true
  isLong?: true
}

export const authenticationTypes: Readonly<
  Record<AuthenticationType, { label: string; fields: AuthenticationField[] }>
> = {
  basic: {
    label: 'User name and password (Basic)',
    fields: [
      { name: 'username', label: 'User name' },
      { name: 'password', label: 'Password', isSecret: true },
    ],
  },
  oauth2_client_credentials: {
    label: 'OAuth 2 client credentials',
    fields: [
      { name: 'token_url', label: 'Token URL' },
      { name: 'client_id', label: 'Client id' },
      { name: 'client_secret', label: 'Client secret', isSecret: true },
      { name: 'scope', label: 'Scope', isOptional: true },
      { name: 'audience', label: 'Audience', isOptional: true },
    ],
  },
  mtls: {
    label: 'Client certificate (mTLS)',
    fields: [
      { name: 'certificate', label: 'Certificate', hint: 'PEM, with its chain', isLong: true },
      { name: 'private_key', label: 'Private key', hint: 'PEM, not encrypted', isLong: true, isSecret: true },
    ],
  },
}

const emptyValues: Readonly<Record<AuthenticationType, AuthenticationInput>> = {
  basic: { type: 'basic', username: '', password: '' },
  oauth2_client_credentials: {
    type: 'oauth2_client_credentials',
    token_url: '',
    client_id: '',
    client_secret: '',
    scope: null,
    audience: null,
  },
  mtls: { type: 'mtls', certificate: '', private_key: '' },
}

/** The options of the choice, of which `kept` needs a stored authentication. */
export const optionsOf = (stored: WebhookAuthentication | null) => [
  ...(stored === null ? [] : [{ value: 'kept', label: `Keep: ${describeAuthentication(stored)}` }]),
  { value: 'none', label: 'None' },
  ...Object.entries(authenticationTypes).map(([value, { label }]) => ({ value, label })),
]

/** Returns the choice of an option. */
export function chooseOption(option: string): AuthenticationChoice {
  const isType = (name: string): name is AuthenticationType => Object.hasOwn(emptyValues, name)
  return { isKept: option === 'kept', value: isType(option) ? emptyValues[option] : null }
}

export const optionOf = ({ isKept, value }: AuthenticationChoice): string => (isKept ? 'kept' : (value?.type ?? 'none'))

/** Changes one field. An empty optional field is null. */
export const changeField = (
  value: AuthenticationInput,
  { name, isOptional }: AuthenticationField,
  text: string,
): AuthenticationInput => ({ ...value, [name]: isOptional && text === '' ? null : text }) as AuthenticationInput // a field of its type

/** Describes a stored authentication in a few words. */
export function describeAuthentication(stored: WebhookAuthentication): string {
  if (stored.type === 'basic') return `user name ${stored.username} and its password`
  if (stored.type === 'mtls') return `certificate ${stored.subject}`
  return `OAuth 2 client ${stored.client_id}`
}
