import { type SignerName, signerNames } from '@wp/contracts'
import { brokerUserNames } from './nats/users.ts'
import { declarationOf } from './processes.ts'

/** Which keys of a Secret or ConfigMap somebody has to make, beside the manifests. */
export interface RequiredObject {
  kind: 'Secret' | 'ConfigMap'
  name: string
  keys: readonly string[]
  /** What it is, in a sentence; by whom it is made, where that is not `pnpm keys --k8s`. */
  purpose: string
  by: 'keys' | 'operator' | 'database'
}

/** Everything an environment is given beside its manifests. */
export const requiredObjects: readonly RequiredObject[] = [
  {
    kind: 'ConfigMap',
    name: 'assertion-keys',
    keys: ['assertion-keys.json'],
    purpose: 'the public keys of all who sign assertions',
    by: 'keys',
  },
  ...signerNames.map(
    (name): RequiredObject => ({
      kind: 'Secret',
      name: `${name}-key`,
      keys: ['assertion-key.json'],
      purpose: `what ${name} signs assertions with`,
      by: 'keys',
    }),
  ),
  ...signerNames.filter(hasSecrets).map(
    (name): RequiredObject => ({
      kind: 'Secret',
      name: `${name}-secrets`,
      keys: secretKeysOf(name),
      purpose: `passwords of the roles of ${name}, and what it seals with`,
      by: 'keys',
    }),
  ),
  {
    kind: 'Secret',
    name: 'nats-users',
    keys: [...brokerUserNames, 'route'],
    purpose: "passwords of the broker's users, and of its servers among each other",
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
    purpose: 'the authority that the database server is trusted by',
    by: 'database',
  },
  {
    kind: 'Secret',
    name: 'gateway-tls',
    keys: ['tls.crt', 'tls.key'],
    purpose: 'the certificate of the edge',
    by: 'operator',
  },
  ...signerNames.flatMap((name) =>
    (['ConfigMap', 'Secret'] as const).map(
      (kind): RequiredObject => ({
        kind,
        name: `${name}-settings`,
        keys: [],
        purpose: `further variables of ${name}, as its config.ts has them; may be left out`,
        by: 'operator',
      }),
    ),
  ),
]

/** The keys of the Secret of a process, without those that are there for a rotation alone. */
export const generatedKeysOf = (name: SignerName): string[] =>
  secretKeysOf(name).filter((key) => key !== 'KEK_PREVIOUS')

function secretKeysOf(name: SignerName): string[] {
  const { hasDatabase, sealsSecrets } = declarationOf(name)
  return [
    ...(hasDatabase ? ['DATABASE_PASSWORD_APP', 'DATABASE_PASSWORD_WORKER', 'DATABASE_PASSWORD_OWNER'] : []),
    ...(sealsSecrets ? ['KEK', 'KEK_PREVIOUS'] : []),
  ]
}

export function hasSecrets(name: SignerName): boolean {
  return secretKeysOf(name).length > 0
}

/** As the check of manifests takes it. */
export const requiredObjectKeys: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  requiredObjects.map(({ kind, name, keys }) => [`${kind}/${name}`, new Set(keys)]),
)
