import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { isSigner, type SignerName, signerNames } from '@wp/contracts'
import { readConfig } from '@wp/service'
import { type Postgres, runProgram, startPostgres } from '@wp/testkit'
import type { IContainer } from 'kubernetes-models/v1'
import type { z } from 'zod'
import { makeSecrets } from '../src/make-secrets.ts'
import { requiredObjects } from '../src/required-objects.ts'
import type { Manifest } from './check/manifest.ts'
import { type Workload, workloadsOf } from './check/workloads.ts'
import { describeWithHelm, environments, reason, renderEnvironment } from './render-chart.ts'

const root = join(import.meta.dirname, '../../..')
const directory = await mkdtemp(join(tmpdir(), 'wp-secrets-'))
afterAll(() => rm(directory, { recursive: true }))

const secretsOf = (namespace: string, beside = false) => makeSecrets({ directory, namespace, beside, superuser: true })

/** Returns the environment of a container as a node sets it: references resolved and `$(NAME)` expanded. */
function environmentOf(container: IContainer, namespace: string, manifests: readonly Manifest[]) {
  const values: Record<string, string> = {}
  const lookUp = (kind: string, name = '', key = ''): string | undefined => {
    const own = manifests.find(
      (each) => each.kind === kind && each.metadata.name === name && each.metadata.namespace === namespace,
    )
    const found = Object.entries(Object(own?.data)).find(([each]) => each === key)?.[1]
    return kind === 'Secret' && found !== undefined ? decode(found) : (found as string | undefined) // both hold text alone
  }
  for (const { name, value, valueFrom } of container.env ?? []) {
    const { configMapKeyRef: map, secretKeyRef: secret } = valueFrom ?? {}
    const found =
      value ??
      (map === undefined ? lookUp('Secret', secret?.name, secret?.key) : lookUp('ConfigMap', map.name, map.key))
    if (found === undefined && secret?.optional !== true) throw new Error(`${name} has no value`)
    if (found !== undefined)
      values[name] = found.replace(/\$\((\w+)\)/g, (whole, other: string) => values[other] ?? whole)
  }
  for (const { configMapRef } of container.envFrom ?? [])
    for (const own of manifests)
      if (own.kind === 'ConfigMap' && own.metadata.name === configMapRef?.name && own.metadata.namespace === namespace)
        Object.assign(values, own.data)
  return values
}

const decode = (value: unknown) => Buffer.from(String(value), 'base64').toString()

const schemaOf = async (name: SignerName): Promise<z.ZodType> => {
  if (name === 'gateway') return (await import(join(root, 'gateway/src/config.ts'))).config
  return (await import(join(root, 'services', name, 'src/index.ts'))).definition.config
}

const openEnvironments = ['local', 'sandbox']

describeWithHelm(`the environment of a pod${reason}`, () => {
  it.each(Object.keys(environments))('is a valid configuration of its process in %s', async (environment) => {
    const manifests = await renderEnvironment(environment)
    const spaces = manifests.filter(({ kind }) => kind === 'Namespace').map(({ metadata }) => metadata.name)
    const secrets = await Promise.all(spaces.map((name) => secretsOf(name, name === 'wp-two')))
    const processes = workloadsOf(manifests).filter(({ manifest }) => isSigner(manifest.metadata.name))
    expect(new Set(processes.map(({ manifest }) => manifest.metadata.name))).toEqual(new Set(signerNames))
    for (const { manifest, namespace, spec } of processes) {
      const name = manifest.metadata.name as SignerName // `filter` above left no others
      const env = environmentOf(only(spec.containers), namespace, [...manifests, ...secrets.flat()])
      const config = readConfig(await schemaOf(name), env) as { SHARD: string; PORT: number; SIGNUP?: string } // every process has the first two
      if (name === 'auth')
        expect([environment, config.SIGNUP === 'open']).toEqual([environment, openEnvironments.includes(environment)])
      expect([namespace, config.SHARD, config.PORT]).toEqual([`wp-${config.SHARD}`, config.SHARD, 8080])
      expect(Object.keys(env).filter((key) => key.includes('OWNER'))).toEqual([])
      expect(Object.values(env).filter((value) => value.includes('$('))).toEqual([])
    }
  })

  it('has every Secret from npm run keys --k8s, or documents another origin', async () => {
    const made = await secretsOf('wp-one')
    const keysOf = ({ data }: Manifest) => Object.keys(Object(data))
    const found = made.map((manifest) => [`${manifest.kind}/${manifest.metadata.name}`, keysOf(manifest)] as const)
    const wanted = requiredObjects
      .filter(({ by, name }) => by === 'keys' || name === 'postgres-superuser')
      .map(({ kind, name, keys }) => [`${kind}/${name}`, keys.filter((key) => key !== 'KEK_PREVIOUS')] as const)
    expect(new Map(found)).toEqual(new Map(wanted))
  })

  it('has the same secrets each time, and different ones in each namespace except for global processes', async () => {
    const [first, again, other] = [
      await secretsOf('wp-one'),
      await secretsOf('wp-one'),
      await secretsOf('wp-two', true),
    ]
    expect(again).toEqual(first)
    const passwords = (of: Manifest[]) =>
      Object(of.find(({ metadata }) => metadata.name === 'nats-users')?.data) as Record<string, string> // made of text alone
    expect(passwords(other).auth).toBe(passwords(first).auth)
    expect(passwords(other).data).not.toBe(passwords(first).data)
    expect(other.some(({ metadata }) => metadata.name.startsWith('auth-'))).toBe(false)
  })
})

it('makeSecrets keeps a previous encryption key beside a new one', async () => {
  const file = join(directory, 'wp-kek.secrets.json')
  const keysOf = async () => {
    const secret = (await secretsOf('wp-kek')).find(({ metadata }) => metadata.name === 'system-secrets')
    const { KEK, KEK_PREVIOUS } = Object(secret?.data)
    return [KEK, KEK_PREVIOUS].map((value) => value && decode(value))
  }
  const [before] = await keysOf()
  const values = JSON.parse(await readFile(file, 'utf8'))
  const { KEK: KEK_PREVIOUS, ...others } = values['system-secrets']
  await writeFile(file, JSON.stringify({ ...values, 'system-secrets': { ...others, KEK_PREVIOUS } }))
  const [after, previous] = await keysOf()
  expect(previous).toBe(before)
  expect(after).not.toBe(before)
  expect(Buffer.from(after, 'base64')).toHaveLength(32)
})

describeWithHelm(`a database server${reason}`, () => {
  let postgres: Postgres
  let manifests: Manifest[]
  beforeAll(async () => {
    postgres = await startPostgres()
    const server = new URL(postgres.url)
    const values = ['mode=external', `host=${server.host}`, 'cidrs={127.0.0.1/32}', 'options=sslmode=disable']
    const rendered = await renderEnvironment('local', ...values.map((value) => `--set=postgres.${value}`))
    manifests = [...rendered, ...(await secretsOf('wp-local'))]
    for (const { metadata, data } of manifests)
      if (metadata.name === 'postgres-superuser')
        Object.assign(Object(data), { username: btoa(server.username), password: btoa(server.password) })
  })
  afterAll(() => postgres?.stop())

  const workload = (title: string): Workload => {
    const found = workloadsOf(manifests).find((each) => each.title === title)
    if (found === undefined) throw new Error(`there is no ${title}`)
    return found
  }
  const runs = async (container: IContainer) => {
    const [runtime, program = '', ...args] = container.command ?? []
    expect(runtime).toBe('node')
    return (await runProgram(program, args, environmentOf(container, 'wp-local', manifests))).stdout
  }

  it('is set up by the provisioning job and the migrators, and the service may change rows but not tables', async () => {
    const migrator = only(workload('Deployment audit').spec.initContainers?.filter(({ name }) => name === 'migrate'))
    await expect(runs(migrator)).rejects.toThrow()
    const { initContainers, containers } = workload('Job provision').spec
    expect(await runs(only(initContainers))).toContain('audit: database and roles exist')
    expect(await runs(only(containers))).toContain('audit: applied')
    expect(await runs(migrator)).toBe('audit: up to date\n')

    const { DATABASE_URL = '', DATABASE_WORKER_URL = '' } = environmentOf(
      only(workload('Deployment audit').spec.containers),
      'wp-local',
      manifests,
    )
    const { Client } = await import('pg')
    for (const url of [DATABASE_URL, DATABASE_WORKER_URL]) {
      const client = new Client({ connectionString: url })
      await client.connect()
      try {
        expect((await client.query('SELECT count(*) FROM platform.jobs')).rowCount).toBe(1)
        await expect(client.query('CREATE TABLE mine ()')).rejects.toThrow(/permission denied/)
        await expect(client.query('ALTER TABLE platform.outbox ADD COLUMN mine int')).rejects.toThrow(/must be owner/)
      } finally {
        await client.end()
      }
    }
  })
})

function only<T>(items: readonly T[] | undefined): T {
  const [first] = items ?? []
  if (first === undefined) throw new Error('there is none')
  return first
}
