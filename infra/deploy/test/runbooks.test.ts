import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { findHelm, type Postgres, startPostgres } from '@wp/testkit'
import { requiredObjects } from '../src/required-objects.ts'
import type { Manifest } from './check/manifest.ts'
import { workloadsOf } from './check/workloads.ts'
import { environments, renderEnvironment } from './render-chart.ts'
import { namedObjects, readBlocks } from './runbooks/read-commands.ts'
import { standInsOfNode } from './runbooks/stand-ins.ts'

const root = join(import.meta.dirname, '../../..')
const realKubectl = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'kubectl'))
  .find(existsSync)
const pages = globSync('docs/runbooks/*.md', { cwd: root }).sort()
const digest = `sha256:${'0a'.repeat(32)}`
/** The services whose databases the commands of the runbooks use. */
const services = ['auth', 'data', 'webhook-delivery', 'audit']

/** Programs that need a registry or a running platform. */
const standIns = (folder: string): Record<string, string> => ({
  docker: `echo '{"containerimage.digest":"${digest}"}' > ${folder}/image.json`,
  curl: 'true',
})

interface Call {
  args: string[]
  program: string[]
  input: string
}

const [describeIfPresent, reason] =
  realKubectl === undefined || findHelm() === undefined
    ? [describe.skip, ' (skipped: no kubectl or no helm)']
    : [describe, '']

describeIfPresent(`the commands of the runbooks${reason}`, () => {
  let folder: string
  let server: Postgres
  let known: Set<string>

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'wp-runbooks-'))
    server = await startPostgres()
    known = knownObjects((await Promise.all(Object.keys(environments).map((name) => renderEnvironment(name)))).flat())
    writeFileSync(join(folder, 'restore.json'), JSON.stringify(restoreJob(await renderEnvironment('production'))))
    const kubectl = `exec ${process.execPath} ${join(import.meta.dirname, 'runbooks/kubectl.mjs')} "$@"`
    const scripts = { ...standIns(folder), kubectl, helm: helmStandIn, ...(await standInsOfNode()) }
    for (const [name, script] of Object.entries(scripts)) {
      writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`)
      chmodSync(join(folder, name), 0o755)
    }
    writeFileSync(join(folder, 'release.yaml'), 'image: { repository: registry.company.test/workspace-platform }\n')
    await run(`npm run db:migrate -- ${services.join(' ')}; npm run backup -- ${folder}/backup ${services.join(' ')}`)
  })
  afterAll(async () => {
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** The operator's environment: values without examples, new keys, and the database server of the test. */
  const environment = () => ({
    ...process.env,
    BASH_ENV: undefined,
    PATH: `${folder}${delimiter}${process.env.PATH}`,
    NAMESPACE: 'wp-one',
    VALUES: `k8s/environments/production.yaml,${companyValues},${folder}/release.yaml`,
    CELL: `k8s/environments/two-cells/two.yaml,${companyValues},${folder}/release.yaml`,
    HOME_CELL: `k8s/environments/production.yaml,k8s/environments/two-cells/home.yaml,${companyValues},${folder}/release.yaml`,
    HELM: findHelm(),
    RENDERED: folder,
    KEYS: join(folder, 'keys'),
    IMAGE: 'registry.company.test/workspace-platform',
    DIGEST: digest,
    BASE_URL: 'https://api.company.test',
    SMTP_URL: 'smtps://user:password@mail.company.test',
    WORKSPACE: 'ws_1',
    BACKUP_FOLDER: join(folder, 'backup'),
    ADMIN_DATABASE_URL: server.url,
    DATABASE_PASSWORD: 'test',
    DATABASE_WORKER_URL: workerUrl(server, 'wp_data'),
    DATABASE_WORKER_URL_AUDIT: workerUrl(server, 'wp_audit'),
    REAL_KUBECTL: realKubectl,
    KUBECTL_CALLS: join(folder, 'calls'),
    RESTORE_JOB: join(folder, 'restore.json'),
    STAND_IN_PSQL: join(import.meta.dirname, 'runbooks/psql.mjs'),
  })

  async function run(script: string): Promise<string> {
    const child = spawn('bash', ['-euo', 'pipefail', '-c', script], { cwd: root, env: environment() })
    const [output, problems, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
    if (code !== 0) throw new Error(`exit code ${code}\n${output}\n${problems}`)
    return output
  }

  it('are in every page but the list of pages', () => {
    expect(pages.length).toBeGreaterThan(8)
    for (const page of pages) expect([page, readBlocks(join(root, page)).length]).not.toEqual([page, 0])
  })

  for (const page of pages) {
    const blocks = readBlocks(join(root, page))
    const needsCluster = blocks.some(({ script }) => script.includes('kubectl'))
    it(`run in ${page}${needsCluster ? ' (kubectl without a cluster: arguments, files and objects are checked)' : ''}`, async () => {
      for (const { script } of blocks) {
        writeFileSync(join(folder, 'calls'), '')
        await run(adapt(script, folder))
        const calls: Call[] = readFileSync(join(folder, 'calls'), 'utf8')
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line))
        const created = calls.flatMap(({ args }) => createdNames(args))
        for (const { args } of calls.filter((call) => isOfOperator(call.args)))
          expect(namedObjects(args).filter((name) => !known.has(name) && !created.includes(name))).toEqual([])
        // The job that restores a backup has its name.
        if (script.includes('set env')) expect(calls.map(({ input }) => input)).toContainEqual(restoresNamedBackup)
      }
    })
  }

  it('are refused when they name an object, a flag or a file that does not exist', async () => {
    expect(namedObjects(['-n', 'wp-one', 'rollout', 'restart', 'deployment/dta']).some((name) => known.has(name))).toBe(
      false,
    )
    await expect(run('kubectl -n wp-one rollout status deployment/data --time 10m')).rejects.toThrow(
      'unknown flag: --time',
    )
    await expect(run('kubectl apply --server-side -f no/such/namespace.yaml')).rejects.toThrow('does not exist')
    await expect(
      run('kubectl -n wp-one exec postgres-1 -- psql -d wp_data -c "SELECT no_column FROM platform.jobs"'),
    ).rejects.toThrow('no_column')
  })
})

/**
 * Without a cluster, an upgrade is rendered with its own arguments, and a rollback or the values of a release are not
 * available.
 */
const helmStandIn = `case "$1" in
upgrade|install) shift; [ "$1" = --install ] && shift
  # Many pages have the same command, with the same files of values.
  files() { printf '%s\\n' "$@" | tr , '\\n' | while read -r name; do [ ! -f "$name" ] || cat "$name"; done; }
  rendered="$RENDERED/$({ printf '%s ' "$@"; files "$@"; } | cksum | tr ' ' -)"; [ -e "$rendered" ] && exit
  "$HELM" template "$@" --kube-version 1.34.0 > /dev/null && touch "$rendered";;
rollback|history) exec "$HELM" "$@" --help > /dev/null;;
*) exec "$HELM" "$@";;
esac`

const companyValues = 'infra/deploy/test/runbooks/company.yaml'

/** Limits commands for all databases to those of the test, and keeps files out of the repository. */
const adapt = (script: string, folder: string): string =>
  script
    .replace(/npm run db:migrate( --.*)?$/m, `npm run db:migrate -- ${services.join(' ')}`)
    .replace(
      /npm run restore -- "\$BACKUP_FOLDER"/,
      // The databases of the test have rows; only an empty one can be filled.
      'dropdb() { kubectl exec postgres-1 -- psql -c "DROP DATABASE wp_$1"; }; dropdb data; npm run db:migrate -- data; npm run restore -- "$BACKUP_FOLDER" data',
    )
    .replaceAll(/\b(image\.json|release\.yaml)/g, `${folder}/$1`)

function workerUrl({ url }: Postgres, database: string): string {
  const worker = new URL(url)
  worker.username = `${database}_worker`
  worker.password = 'test'
  worker.pathname = `/${database}`
  return worker.href
}

const restoresNamedBackup = expect.stringMatching(/name: BACKUP\n +value: "?2026-11-22T02-00-00Z/)

/** Operators name the namespace with `-n`. */
const isOfOperator = (args: readonly string[]) => args[0] === '-n'

const createdNames = (args: readonly string[]): string[] => {
  const index = args.indexOf('create')
  return index < 0 ? [] : [`${args[index + 1]}/${args[index + 2]}`]
}

/** Returns the objects of the manifests, and those that controllers create for them. */
function knownObjects(manifests: readonly Manifest[]): Set<string> {
  const jobs = ['backup-before-upgrade', 'list-backups', 'restore'].map((name) => `job/${name}`)
  const pods = ['nats-0', 'postgres-1'].map((name) => `pod/${name}`)
  return new Set([
    ...manifests.map(({ kind, metadata }) => `${kind.toLowerCase()}/${metadata.name}`),
    ...requiredObjects.map(({ kind, name }) => `${kind.toLowerCase()}/${name}`),
    ...[...jobs, ...pods, 'persistentvolumeclaim/data-nats-0'],
  ])
}

/** Returns the job that `kubectl create job --from=cronjob/restore` makes of the CronJob. */
function restoreJob(manifests: readonly Manifest[]): Manifest {
  const cronJob = workloadsOf(manifests).find(({ title }) => title === 'CronJob restore')
  if (cronJob === undefined) throw new Error('there is no CronJob restore')
  const { jobTemplate } = cronJob.manifest.spec as { jobTemplate: { spec: unknown } } // its schema says so
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'restore', namespace: 'wp-one' },
    spec: jobTemplate.spec,
  }
}
