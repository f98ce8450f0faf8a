import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { isGlobal, isSigner, type SignerName, signerNames } from '@wp/contracts'
import { type Postgres, runProgram, startPostgres } from '@wp/testkit'
import type { IContainer } from 'kubernetes-models/v1'
import { Client } from 'pg'
import { declarationOf } from '../src/processes.ts'
import type { Manifest } from './check/manifest.ts'
import { workloadsOf } from './check/workloads.ts'
import { describeWithHelm, reason, renderEnvironment } from './render-chart.ts'

const services = ['system', 'audit'] as const

describeWithHelm(`the CronJobs backup and restore${reason}`, () => {
  let lost: Postgres
  let fresh: Postgres
  let volume: string
  beforeAll(async () => {
    ;[lost, fresh] = await Promise.all([startPostgres(), startPostgres()])
    volume = mkdtempSync(join(tmpdir(), 'wp-backups-'))
  })
  afterAll(async () => {
    await Promise.all([lost?.stop(), fresh?.stop()])
    rmSync(volume, { recursive: true })
  })

  /** Runs a container as its pod does: with the server and the volume of the test. Returns what it prints. */
  async function runContainer(
    job: 'backup' | 'restore',
    name: string,
    server: Postgres,
    backup?: string,
  ): Promise<string> {
    const workload = workloadsOf(await renderEnvironment('local')).find(({ title }) => title === `CronJob ${job}`)
    const { initContainers = [], containers = [] } = workload?.spec ?? {}
    const container = [...initContainers, ...containers].find((each) => each.name === name)
    if (container === undefined) throw new Error(`there is no container ${name}`)
    const env = environmentOf(container, server)
    const isOther = (arg: string) => isSigner(arg) && !services.some((service) => service === arg)
    if (backup !== undefined) env.BACKUP = backup
    const [program = '', ...args] = (container.command ?? [])
      .slice(1)
      .filter((arg) => !isOther(arg))
      .map((arg) => expand(arg, env).replace(/^\/backups/, volume))
    return (await runProgram(program, args, env)).stdout
  }

  it('write backups to the volume, and load one of them into a new server', async () => {
    await runContainer('restore', 'migrate', lost)
    await withDatabase(lost, (client) => client.query(insertVariable, ['KEPT']))
    expect(await runContainer('backup', 'backup', lost)).toContain('system: 1 rows')
    const [name = ''] = readdirSync(volume)

    await runContainer('restore', 'migrate', fresh)
    expect(await runContainer('restore', 'restore', fresh, name)).toContain('system: 1 rows')
    const { rows } = await withDatabase(fresh, (client) => client.query('SELECT name FROM workspace_variables'))
    expect(rows).toEqual([{ name: 'KEPT' }])
  })

  it('fail without changes when the name of the backup is not set', async () => {
    await expect(runContainer('restore', 'restore', fresh)).rejects.toThrow('set-the-name-of-a-backup')
  })
})

const insertVariable = `INSERT INTO workspace_variables (workspace_id, name, value, secret, updated_at)
  VALUES ('ws_1', $1, 'x', false, now())`

async function withDatabase<T>(server: Postgres, work: (client: Client) => Promise<T>): Promise<T> {
  const url = new URL(server.url)
  url.pathname = '/wp_system'
  const client = new Client({ connectionString: url.href })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Returns the variables of a container, with the values that its ConfigMap and Secrets have for this server. */
function environmentOf({ env = [] }: IContainer, server: Postgres): Record<string, string> {
  const { host, username, password } = new URL(server.url)
  const known: Record<string, string> = { DATABASE_HOST: host, username, password, DATABASE_OPTIONS: 'sslmode=disable' }
  const values: Record<string, string> = {}
  for (const { name, value, valueFrom } of env) {
    const key = valueFrom?.configMapKeyRef?.key ?? valueFrom?.secretKeyRef?.key ?? ''
    values[name] = value === undefined ? (known[key] ?? `pw${key}`) : expand(value, values)
  }
  return values
}

/** Kubernetes expands `$(NAME)` in commands and variables. */
const expand = (text: string, values: Readonly<Record<string, string>>) =>
  text.replace(/\$\((\w+)\)/g, (whole, name: string) => values[name] ?? whole)

describeWithHelm(`the backup of a cell${reason}`, () => {
  it('covers exactly the databases of its namespace', async () => {
    const manifests = await renderEnvironment('two-cells')
    const withDatabases = signerNames.filter((name) => declarationOf(name).hasDatabase)
    expect(servicesOf(manifests, 'wp-one')).toEqual(withDatabases)
    expect(servicesOf(manifests, 'wp-two')).toEqual(withDatabases.filter((name) => !isGlobal(name)))
  })
})

function servicesOf(manifests: readonly Manifest[], namespace: string): SignerName[] {
  const backup = workloadsOf(manifests).find((each) => each.title === 'CronJob backup' && each.namespace === namespace)
  const command: readonly string[] = backup?.spec.containers[0]?.command ?? []
  return signerNames.filter((name) => command.includes(name))
}
