import type { Sealer } from '@wp/service'
import { secretAssociatedData } from '../store/sealed-integrations.ts'

type Strings = Readonly<Record<string, string>>

/** Seals secrets, by name. */
export const sealSecrets = (sealer: Sealer, integrationId: string, secrets: Strings) =>
  mapValues(secrets, (value, name) => sealer.seal(value, secretAssociatedData(integrationId, name)))

/** Opens sealed secrets. @throws when the key is missing or a value was tampered with */
export const openSecrets = (sealer: Sealer, integrationId: string, sealed: Strings) =>
  mapValues(sealed, (value, name) => sealer.open(value, secretAssociatedData(integrationId, name)))

const mapValues = (values: Strings, convert: (value: string, name: string) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, convert(value, name)]))
