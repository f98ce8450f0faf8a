import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isGlobal, isSigner, type SignerName, signerNames } from '@wp/contracts'
import { ensureKeyFiles, keyFilePaths } from '@wp/service/key-files'
import { brokerUserNames } from './nats/users.ts'
import { generatedKeysOf, hasSecrets } from './required-objects.ts'

export interface SecretOptions {
  /** The folder of keys and passwords. Missing ones are created; existing ones are kept. */
  directory: string
  namespace: string
  /** For a cell other than the home cell: without the Secrets of the global processes. */
  beside?: boolean
  /** Include an administrator of the database server, if no operator creates one. */
  superuser?: boolean
}

type Values = Record<string, Record<string, string>>

/** A Secret or a ConfigMap; as a type, so that it is also an object of unknown fields. */
type SecretManifest = {
  apiVersion: 'v1'
  kind: 'Secret' | 'ConfigMap'
  metadata: { name: string; namespace: string }
  type?: 'Opaque'
  data: Record<string, string>
}

/**
 * Returns the Secrets and the ConfigMap that a namespace needs in addition to its manifests: signing keys, public keys,
 * passwords and encryption keys. Values are stored in the directory, so repeated calls return the same. A global
 * process has the same password at the brokers of all cells.
 */
export async function makeSecrets({
  directory,
  namespace,
  beside,
  superuser,
}: SecretOptions): Promise<SecretManifest[]> {
  await ensureKeyFiles(directory)
  const files = keyFilePaths(directory)
  const names = signerNames.filter((name) => beside !== true || !isGlobal(name))
  const read = (file: string) => readFileSync(file, 'utf8')
  const sharedStore = openSecretStore(join(directory, 'everywhere.secrets.json'))
  const namespaceStore = openSecretStore(join(directory, `${namespace}.secrets.json`))
  const password = (user: string) =>
    (isSigner(user) && isGlobal(user) ? sharedStore : namespaceStore)('nats-users', user, newPassword)
  const secret = (name: string, values: Record<string, string>): SecretManifest => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace },
    type: 'Opaque',
    // `data` and not `stringData`: a server-side apply does not remove keys that are missing in stringData.
    data: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, encode(value)])),
  })
  return [
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'assertion-keys', namespace },
      data: { 'assertion-keys.json': read(files.keysFile) },
    },
    ...names.map((name) =>
      secret(`${name}-key`, {
        'assertion-key.json': read(files.keyFile(name)),
        ...(name === 'audit' ? { 'audit-signing-keys.json': read(files.auditSigningKeyFile) } : {}),
      }),
    ),
    ...names.filter(hasSecrets).map((name) => secret(`${name}-secrets`, processSecrets(name, namespaceStore))),
    secret('nats-users', Object.fromEntries([...brokerUserNames, 'route'].map((user) => [user, password(user)]))),
    ...(superuser === true
      ? [
          secret('postgres-superuser', {
            username: 'postgres',
            password: namespaceStore('postgres-superuser', 'password', newPassword),
          }),
        ]
      : []),
  ]
}

const encode = (value: string) => Buffer.from(value).toString('base64')

type SecretStore = (name: string, key: string, make: () => string) => string

function processSecrets(name: SignerName, kept: SecretStore): Record<string, string> {
  const secrets = `${name}-secrets`
  const made = generatedKeysOf(name).map(
    (key) => [key, kept(secrets, key, key === 'KEK' ? newKek : newPassword)] as const,
  )
  // The previous key is needed until all secrets are encrypted with the new one.
  const previous = kept(secrets, 'KEK_PREVIOUS', () => '')
  return { ...Object.fromEntries(made), ...(previous === '' ? {} : { KEK_PREVIOUS: previous }) }
}

/** Opens a file of secrets, readable by its owner only. A missing value is created and stored at once. */
function openSecretStore(file: string): SecretStore {
  const values: Values = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  return (name, key, make) => {
    const known = values[name]?.[key]
    if (known !== undefined) return known
    const value = make()
    if (value === '') return value
    values[name] = { ...values[name], [key]: value }
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(`${file}.new`, `${JSON.stringify(values, null, 2)}\n`, { mode: 0o600 })
    renameSync(`${file}.new`, file)
    return value
  }
}

/** Letters and digits need no encoding in a URL. The first is a letter, because nats-server parses numbers. */
const newPassword = () => `p${randomBytes(20).toString('hex')}`
const newKek = () => randomBytes(32).toString('base64')
