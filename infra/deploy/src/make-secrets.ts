import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isGlobal, isSigner, type SignerName, signerNames } from '@wp/contracts'
import { ensureKeyFiles, keyFilePaths } from '@wp/service'
import type { Manifest } from './manifests/manifest.ts'
import { brokerUserNames } from './nats/users.ts'
import { generatedKeysOf, hasSecrets } from './required-objects.ts'

export interface SecretOptions {
  /** Where keys and passwords lie; what is missing is made, what is there stays. */
  directory: string
  namespace: string
  /** A cell beside the home: without what the processes have that serve all shards. */
  beside?: boolean
  /** Also an administrator of the database server, where no operator makes one. */
  superuser?: boolean
}

type Values = Record<string, Record<string, string>>

/**
 * The Secrets and the ConfigMap that a namespace must have beside its manifests: a key a signer, the public keys of all,
 * passwords and what is sealed with. Made once and kept in the directory, so that the same come each time; who serves all
 * shards has one password at all brokers.
 */
export async function makeSecrets({ directory, namespace, beside, superuser }: SecretOptions): Promise<Manifest[]> {
  await ensureKeyFiles(directory)
  const files = keyFilePaths(directory)
  const names = signerNames.filter((name) => beside !== true || !isGlobal(name))
  const read = (file: string) => readFileSync(file, 'utf8')
  const sharedStore = openSecretStore(join(directory, 'everywhere.secrets.json'))
  const namespaceStore = openSecretStore(join(directory, `${namespace}.secrets.json`))
  const password = (user: string) =>
    (isSigner(user) && isGlobal(user) ? sharedStore : namespaceStore)('nats-users', user, newPassword)
  const secret = (name: string, values: Record<string, string>): Manifest => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace },
    type: 'Opaque',
    // Not as text: what is left out of stringData stays where it is applied by the server.
    data: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, encode(value)])),
  })
  return [
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'assertion-keys', namespace },
      data: { 'assertion-keys.json': read(files.keysFile) },
    },
    ...names.map((name) => secret(`${name}-key`, { 'assertion-key.json': read(files.keyFile(name)) })),
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
  // While what was sealed is sealed anew, the key before is there as well.
  const previous = kept(secrets, 'KEK_PREVIOUS', () => '')
  return { ...Object.fromEntries(made), ...(previous === '' ? {} : { KEK_PREVIOUS: previous }) }
}

/** A file of values: what is asked for and not there is made, and written at once, for its owner alone. */
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

/** Letters and digits, which mean the same in an address; a letter first, or nats-server might read a number. */
const newPassword = () => `p${randomBytes(20).toString('hex')}`
const newKek = () => randomBytes(32).toString('base64')
