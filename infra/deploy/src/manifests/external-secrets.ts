import type { SignerName } from '@wp/contracts'
import { hasSecrets } from '../required-objects.ts'
import type { Manifest } from './manifest.ts'

/** An ExternalSecret for the generated Secrets of these processes, from the SecretStore `platform` of the namespace. */
export const processSecrets = (names: readonly SignerName[]): Manifest[] =>
  names.flatMap((name) => [
    externalSecret(`${name}-key`),
    ...(hasSecrets(name) ? [externalSecret(`${name}-secrets`)] : []),
  ])

/** The entry of the store has the name of the Secret, and is a JSON object with the keys of the Secret. */
export const externalSecret = (name: string): Manifest => ({
  apiVersion: 'external-secrets.io/v1',
  kind: 'ExternalSecret',
  metadata: { name },
  spec: {
    secretStoreRef: { kind: 'SecretStore', name: 'platform' },
    refreshInterval: '1h',
    target: { name, creationPolicy: 'Owner' },
    dataFrom: [{ extract: { key: name } }],
  },
})
