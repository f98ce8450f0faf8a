import type { Sealer } from '@wp/service'

type Strings = Readonly<Record<string, string>>

/** What the sealed value of a secret is bound to. */
export const secretBinding = (integrationId: string, name: string): string => `${integrationId}/secrets/${name}`

export const sealSecrets = (sealer: Sealer, integrationId: string, secrets: Strings) =>
  mapValues(secrets, (value, name) => sealer.seal(value, secretBinding(integrationId, name)))

/** @throws when the key is gone or a value was tampered with */
export const openSecrets = (sealer: Sealer, integrationId: string, sealed: Strings) =>
  mapValues(sealed, (value, name) => sealer.open(value, secretBinding(integrationId, name)))

const mapValues = (values: Strings, change: (value: string, name: string) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]))
