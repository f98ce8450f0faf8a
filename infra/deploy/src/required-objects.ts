import { type SignerName, signerNames } from '@wp/contracts'
import { operatorPurposes } from '@wp/database'
import { brokerUserNames } from './nats/users.ts'
import { declarationOf } from './processes.ts'

/** A Secret or ConfigMap that is not in the manifests. */
export interface RequiredObject {
  kind: 'Secret' | 'ConfigMap'
  name: string
  keys: readonly string[]
  /** A description of its content. */
  purpose: string
  by: 'keys' | 'operator' | 'database'
}

/** The objects that an environment needs in addition to its manifests. */
export const requiredObjects: readonly RequiredObject[] = [
  {
    kind: 'ConfigMap',
    name: 'assertion-keys',
    keys: ['assertion-keys.json'],
    purpose: 'the public keys of all signers of assertions',
    by: 'keys',
  },
  ...signerNames.map(
    (name): RequiredObject => ({
      kind: 'Secret',
      name: `${name}-key`,
      keys: signingKeysOf(name),
      purpose: `the key with which ${name} signs assertions${name === 'audit' ? ', and that of the audit log' : ''}`,
      by: 'keys',
    }),
  ),
  ...signerNames.filter(hasSecrets).map(
    (name): RequiredObject => ({
      kind: 'Secret',
      name: `${name}-secrets`,
      keys: secretKeysOf(name),
      purpose: `passwords of the database roles of ${name}, and its encryption key`,
      by: 'keys',
    }),
  ),
  {
    kind: 'Secret',
    name: 'nats-users',
    keys: [...brokerUserNames, 'route'],
    purpose: "passwords of the broker's users, and of the routes between its servers",
    by: 'keys',
  },
  {
    kind: 'Secret',
    name: 'postgres-superuser',
    keys: ['username', 'password'],
    purpose: 'an administrator of the database server',
    by: 'database',
  },
  {
    kind: 'Secret',
    name: 'postgres-ca',
    keys: ['ca.crt'],
    purpose: 'the certificate authority of the database server',
    by: 'database',
  },
  {
    kind: 'Secret',
    name: 'gateway-tls',
    keys: ['tls.crt', 'tls.key'],
    purpose: 'the certificate of the gateway',
    by: 'operator',
  },
  ...signerNames.flatMap((name) =>
    (['ConfigMap', 'Secret'] as const).map(
      (kind): RequiredObject => ({
        kind,
        name: `${name}-settings`,
        keys: [],
        purpose: `further variables of ${name}, as defined in its config.ts; optional`,
        by: 'operator',
      }),
    ),
  ),
]

/** Returns the database roles of a service, as the names of their passwords end. */
export function databaseRoles(name: SignerName): string[] {
  return [...['APP', 'WORKER', 'OWNER'], ...(operatorPurposes[name] ?? []).map((purpose) => purpose.toUpperCase())]
}

/** The keys in the Secret of a process's signing keys. */
function signingKeysOf(name: SignerName): string[] {
  return ['assertion-key.json', ...(name === 'audit' ? ['audit-signing-keys.json'] : [])]
}

/** The keys in the Secret of a process, without those that exist only during a rotation. */
export const generatedKeysOf = (name: SignerName): string[] =>
  secretKeysOf(name).filter((key) => key !== 'KEK_PREVIOUS')

function secretKeysOf(name: SignerName): string[] {
  const { hasDatabase, sealsSecrets } = declarationOf(name)
  return [
    ...(hasDatabase ? databaseRoles(name).map((role) => `DATABASE_PASSWORD_${role}`) : []),
    ...(sealsSecrets ? ['KEK', 'KEK_PREVIOUS'] : []),
  ]
}

export function hasSecrets(name: SignerName): boolean {
  return secretKeysOf(name).length > 0
}

/** The keys of the required objects, as the manifest checks take them. */
export const requiredObjectKeys: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  requiredObjects.map(({ kind, name, keys }) => [`${kind}/${name}`, new Set(keys)]),
)
