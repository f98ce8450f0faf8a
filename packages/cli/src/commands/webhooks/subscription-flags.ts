import { switchFlag, textFlag, textsFlag } from '../../flag-types.ts'

/** Flags of the fields that a creation and a change of a subscription have in common. */
export const subscriptionFlags = {
  events: textsFlag('kinds', 'Event kinds, separated by commas (default: all)'),
  description: textFlag('text', 'Description'),
  filter: textFlag('json', 'Deliver only events whose payload matches: a filter as JSON, or @file'),
  rateLimit: textFlag('number', 'Attempts per second at most, from 0.01 to 1000'),
  basicUser: textFlag('name', 'Authenticate by HTTP Basic; the password is read from standard input'),
  oauthTokenUrl: textFlag(
    'url',
    'Authenticate with tokens of this endpoint; the client secret is read from standard input',
  ),
  oauthClientId: textFlag('id', 'Client id for the token endpoint'),
  oauthScope: textFlag('scope', 'Scope of the tokens'),
  oauthAudience: textFlag('audience', 'Audience of the tokens'),
  oauthClientAuthentication: textFlag('way', 'Send client id and secret as basic (default) or in the body'),
  certificate: textFlag('file', 'Authenticate by mTLS with this certificate (PEM, with its chain)'),
  privateKey: textFlag('file', 'Private key of the certificate (PEM, not encrypted)'),
} as const

/** Flags that remove what a subscription has. */
export const removalFlags = {
  noFilter: switchFlag('Remove the filter'),
  noRateLimit: switchFlag('Remove the rate limit'),
  noAuthentication: switchFlag('Remove the authentication'),
} as const

type ValuesOf<Flags> = {
  [Name in keyof Flags]: Flags[Name] extends { kind: 'boolean' }
    ? boolean
    : (Flags[Name] extends { variadic: ',' } ? string[] : string) | undefined
}

export type SubscriptionFlags = ValuesOf<typeof subscriptionFlags>
export type RemovalFlags = ValuesOf<typeof removalFlags>
