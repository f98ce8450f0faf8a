import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { signerNames } from '@wp/contracts'
import { forwardConfig as gatewayConfig } from '../../../gateway/src/forward/config.ts'
import { maxConnections } from '../src/database-connections.ts'
import { requiredObjectKeys, requiredObjects } from '../src/required-objects.ts'
import { parseQuantity } from './check/availability.ts'
import { findProblems } from './check/find-problems.ts'
import type { Manifest } from './check/manifest.ts'
import { canReach, type PodLocation } from './check/network-reachability.ts'
import { workloadsOf } from './check/workloads.ts'
import {
  chart,
  describeWithHelm,
  environments,
  everyComponent,
  helm,
  reason,
  renderEnvironment,
  valuesOf,
} from './render-chart.ts'

/** A manifest in which a test can read and change any field. */
// biome-ignore lint/suspicious/noExplicitAny: the tests create manifests that the types do not allow
type MutableManifest = any

const find = (manifests: readonly Manifest[], key: string): MutableManifest =>
  manifests.find(({ kind, metadata }) => `${kind}/${metadata.name}` === key)

describeWithHelm(`the chart${reason}`, () => {
  it('passes helm lint', async () => {
    const [release] = environments.production ?? []
    const values = release === undefined ? [] : valuesOf(release)
    expect(await helm(['lint', chart, '--strict', '--kube-version=1.34.0', ...values])).toContain('0 chart(s) failed')
  })

  it.each(Object.keys(environments))('renders objects without problems for %s', async (environment) => {
    const manifests = await renderEnvironment(environment)
    expect(manifests.length).toBeGreaterThan(80)
    expect(await findProblems(manifests, requiredObjectKeys)).toEqual([])
  })

  it('renders objects without problems with every optional component, and with an external database server', async () => {
    const all = await renderEnvironment('production', ...everyComponent)
    expect(await findProblems(all, requiredObjectKeys)).toEqual([])
    expect(find(all, 'Ingress/gateway')).toBeUndefined()
    const external = await renderEnvironment('production', ...externalServer)
    expect(await findProblems(external, requiredObjectKeys)).toEqual([])
    expect(find(external, 'Cluster/postgres')).toBeUndefined()
    expect(find(external, 'NetworkPolicy/database-clients').spec.egress).toEqual([
      { to: [{ ipBlock: { cidr: '10.20.0.0/24' } }], ports: [{ port: 6432, protocol: 'TCP' }] },
    ])
  })

  it('renders no object of two releases with the same name in one cluster', async () => {
    const manifests = await Promise.all(['production', 'sandbox', 'small'].map((name) => renderEnvironment(name)))
    const keys = manifests.flat().map(({ kind, metadata: { namespace = '', name } }) => `${kind}/${namespace}/${name}`)
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('refuses example values', async () => {
    const examples = renderEnvironment('production', '--set=allowExampleValues=false')
    await expect(examples).rejects.toThrow('the values have examples, which you have to replace')
  })

  it('refuses values that its schema does not allow', async () => {
    const refused: [value: string, problem: string][] = [
      ['cell.shards=two', "additional properties 'shards' not allowed"],
      ['services.dta.minReplicas=2', "additional properties 'dta' not allowed"],
      ['image.tag=latest', "at '/image/tag'"],
      ['image.digest=sha256:1', "at '/image/digest'"],
      ['nats.replicas=2', "at '/nats/replicas'"],
      ['postgres.mode=external', "at '/postgres/host'"],
      ['entry.host=', "at '/entry/host'"],
    ]
    const rendering = renderEnvironment('production', ...refused.map(([value]) => `--set=${value}`))
    const { message }: Error = await rendering.then(
      () => new Error('they are accepted'),
      (error) => error,
    )
    expect(refused.filter(([, problem]) => !message.includes(problem))).toEqual([])
  })

  it('names every process in its schema, and the images of docker-compose.yml', () => {
    const { properties } = JSON.parse(
      readFileSync(join(import.meta.dirname, '../../../k8s/chart/values.schema.json'), 'utf8'),
    )
    expect(Object.keys(properties.services.properties)).toEqual([...signerNames])
  })

  it('prefers the digest of an image to a tag', async () => {
    const digest = `sha256:${'0a'.repeat(32)}`
    const manifests = await renderEnvironment('production', `--set=image.digest=${digest}`)
    const images = new Set(workloadsOf(manifests).flatMap(({ spec }) => spec.containers.map(({ image }) => image)))
    expect([...images].filter((image) => image?.includes('workspace-platform'))).toEqual([
      `registry.example.com/workspace-platform@${digest}`,
    ])
  })

  it('migrates in a hook before an upgrade, with the database server of the new values', async () => {
    const manifests = await renderEnvironment('production', '--is-upgrade', ...externalServer)
    const jobs = manifests.filter(({ kind }) => kind === 'Job')
    expect(jobs.map(({ metadata }) => [metadata.name, metadata.annotations?.['helm.sh/hook']])).toEqual([
      ['migrate', 'pre-upgrade'],
    ])
    expect(JSON.stringify(jobs)).toContain('{"name":"DATABASE_HOST","value":"db.company.test:6432"}')
    for (const { spec } of jobs) expect(spec).toMatchObject({ ttlSecondsAfterFinished: 86_400 })
  })

  it('replaces the pods of a process, and of no other, when its settings change', async () => {
    const templates = async (...values: string[]) =>
      new Map(
        (await renderEnvironment('production', ...values))
          .filter(({ kind }) => kind === 'Deployment')
          .map(({ metadata, spec }) => [metadata.name, JSON.stringify(spec)]),
      )
    const before = await templates()
    const after = await templates('--set=services.audit.settings.AUDIT_RETENTION_DAYS=365')
    expect([...after].filter(([name, spec]) => before.get(name) !== spec).map(([name]) => name)).toEqual(['audit'])
  })

  it('keeps the volumes of the database and of backups when it is uninstalled', async () => {
    const manifests = await renderEnvironment('production')
    for (const key of ['Cluster/postgres', 'PersistentVolumeClaim/backups'])
      expect(find(manifests, key).metadata.annotations).toEqual({ 'helm.sh/resource-policy': 'keep' })
  })
})

const externalServer = [
  ...['mode=external', 'host=db.company.test:6432', 'cidrs={10.20.0.0/24}'].map((value) => `--set=postgres.${value}`),
]

describeWithHelm(`the rendered environments${reason}`, () => {
  it('request less than 4 CPU and 8 GiB in the small one', async () => {
    const manifests = await renderEnvironment('small')
    const sum = (resource: string) =>
      workloadsOf(manifests)
        .filter(({ isLongRunning }) => isLongRunning)
        .flatMap(({ spec }) => spec.containers)
        .reduce((total, { resources }) => total + parseQuantity(resources?.requests?.[resource] ?? 0), 0)
    expect(sum('cpu')).toBeLessThanOrEqual(4)
    expect(sum('memory')).toBeLessThanOrEqual(8 * 2 ** 30)
  })

  it('spread broker and database of production over zones and hosts', async () => {
    const manifests = await renderEnvironment('production')
    const keysOf = (constraints: MutableManifest[]) =>
      constraints.filter((each) => each.whenUnsatisfiable === 'DoNotSchedule').map((each) => each.topologyKey)
    expect(keysOf(find(manifests, 'StatefulSet/nats').spec.template.spec.topologySpreadConstraints)).toEqual([
      'topology.kubernetes.io/zone',
      'kubernetes.io/hostname',
    ])
    const { affinity, topologySpreadConstraints } = find(manifests, 'Cluster/postgres').spec
    expect(keysOf(topologySpreadConstraints)).toEqual(['topology.kubernetes.io/zone'])
    expect(affinity).toMatchObject({ topologyKey: 'kubernetes.io/hostname', podAntiAffinityType: 'required' })
  })

  it('let a node with the only database server be drained', async () => {
    const { spec } = find(await renderEnvironment('sandbox'), 'Cluster/postgres')
    expect(spec).toMatchObject({ instances: 1, enablePDB: false })
  })

  it('scale by the length of queues only if it is asked for', async () => {
    expect(JSON.stringify(await renderEnvironment('production'))).not.toContain('"External"')
    const { metrics } = find(
      await renderEnvironment('production', ...everyComponent),
      'HorizontalPodAutoscaler/data',
    ).spec
    expect(metrics[1].external).toEqual({
      metric: { name: 'jobs_waiting', selector: { matchLabels: { queue: 'sync' } } },
      target: { type: 'AverageValue', averageValue: '10' },
    })
  })

  it('keep requests and uploads at the ingress longer than the gateway does', async () => {
    const { annotations } = find(await renderEnvironment('production'), 'Ingress/gateway').metadata
    const longest = Math.max(
      ...[gatewayConfig.UPLOAD_TIMEOUT_SECONDS, gatewayConfig.LONG_TIMEOUT_SECONDS].map((each) =>
        each.parse(undefined),
      ),
    )
    expect(Number(annotations['nginx.ingress.kubernetes.io/proxy-read-timeout'])).toBeGreaterThan(longest)
    expect(annotations['nginx.ingress.kubernetes.io/proxy-body-size']).toBe('0')
  })

  it('take every generated Secret from the secret manager', async () => {
    const manifests = await renderEnvironment('production', ...everyComponent)
    const external = manifests.filter(({ kind }) => kind === 'ExternalSecret').map(({ metadata }) => metadata.name)
    const generated = requiredObjects.filter(({ kind, by }) => kind === 'Secret' && by === 'keys')
    expect(external.sort()).toEqual(generated.map(({ name }) => name).sort())
  })

  it('let monitoring, the collector of traces and the data service reach what they need, and no more', async () => {
    const labels = { 'workspace-platform/metrics': 'gatherer', 'workspace-platform/traces': 'collector' }
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'monitoring', labels } }
    const manifests = [...(await renderEnvironment('production', ...everyComponent)), namespace]
    const monitoring = { namespace: 'monitoring', labels: {} }
    const pod = (name: string): PodLocation => ({ namespace: 'wp-one', labels: { 'app.kubernetes.io/name': name } })
    const database = { namespace: 'wp-one', labels: { 'workspace-platform/role': 'database' } }
    const scraped: [PodLocation, number][] = [
      [pod('gateway'), 9090],
      [pod('auth'), 8080],
      [pod('nats'), 8222],
      [database, 9187],
    ]
    for (const [to, port] of scraped) expect(canReach(manifests, monitoring, to, port)).toBe(true)
    expect([4318, 4319].map((port) => canReach(manifests, pod('solutions'), monitoring, port))).toEqual([true, false])
    const searching = ['data', 'ai', 'gateway'].map((name) => canReach(manifests, pod(name), pod('opensearch'), 9200))
    expect(searching).toEqual([true, false, false])
    expect(JSON.stringify(find(manifests, 'Deployment/data'))).toContain('http://opensearch-2.opensearch:9200')
  })
})

describeWithHelm(`findProblems${reason}`, () => {
  const podOf = (manifest: MutableManifest) => manifest.spec.template.spec
  const own = (manifest: MutableManifest) => podOf(manifest).containers[0]
  const envOf = (manifest: MutableManifest, name: string) =>
    own(manifest).env.find((variable: MutableManifest) => variable.name === name)

  type Case = [key: string, change: (manifest: MutableManifest) => void, problem: string]
  const fields: Case[] = [
    ['Deployment/auth', (each) => (own(each).readinessProbe.httpGet.pth = '/'), '.httpGet.pth: there is no such field'],
    ['Cluster/postgres', (each) => (each.spec.storage.sizes = '1Gi'), '.storage.sizes: there is no such field'],
    ['Deployment/audit', (each) => (envOf(each, 'PORT').value = 8080), 'must be string'],
    ['Deployment/data', (each) => delete each.spec.selector, 'lacks selector'],
    ['Deployment/ai', (each) => (each.kind = 'Deploymint'), 'no schema is known of apps/v1 Deploymint'],
  ]
  const name = 'app.kubernetes.io/name'
  const relations: Case[] = [
    ['Service/auth', (each) => (each.spec.selector[name] = 'oauth'), 'Service auth: its selector matches nothing'],
    ['Service/data', (each) => (each.spec.ports[0].targetPort = 'web'), 'no pod behind it has the port web'],
    ['HorizontalPodAutoscaler/data', (each) => (each.spec.scaleTargetRef.name = 'date'), 'its target matches nothing'],
    ['Deployment/auth', (each) => (own(each).volumeMounts[0].name = 'temp'), 'auth mounts the volume temp'],
    [
      'Deployment/integrations',
      (each) => (envOf(each, 'KEK').valueFrom.secretKeyRef.key = 'KEKS'),
      'there is no Secret integrations-secrets/KEKS',
    ],
    ['Deployment/audit', (each) => (envOf(each, 'SHARD').valueFrom.configMapKeyRef.key = 'SHRAD'), '/SHRAD'],
    ['Deployment/data', (each) => (podOf(each).priorityClassName = 'high'), 'there is no PriorityClass high'],
    [
      'StatefulSet/nats',
      (each) => (own(each).resources.requests.cpu = '1500m'),
      'nats asks for more cpu than its limit',
    ],
    [
      'HorizontalPodAutoscaler/auth',
      (each) => (each.spec.maxReplicas = 60),
      `Cluster postgres: has ${maxConnections} connections, but`,
    ],
    ['Deployment/ai', (each) => delete own(each).startupProbe, 'ai has no startupProbe'],
    ['Deployment/billing', (each) => (podOf(each).securityContext.runAsUser = 0), 'may run as root'],
    [
      'Deployment/mcp',
      (each) => (own(each).securityContext.readOnlyRootFilesystem = false),
      'mcp has a writable root filesystem',
    ],
    ['Deployment/console', (each) => (own(each).image = 'example.com/platform'), 'whose version is not pinned'],
    [
      'Deployment/notifications',
      (each) => (each.spec.strategy.rollingUpdate.maxUnavailable = 1),
      'before its replacement is ready',
    ],
    [
      'Deployment/webhook-delivery',
      (each) => (podOf(each).terminationGracePeriodSeconds = 30),
      'is killed before its shutdown has finished',
    ],
    [
      'NetworkPolicy/auth',
      (each) => (each.spec.podSelector = { matchLabels: { [name]: 'system' } }),
      '} in wp-one have no network policy',
    ],
    ['Deployment/gateway', (each) => (each.metadata.name = 'system'), 'Deployment system in wp-one: exists twice'],
  ]
  const denial: Case[] = [['NetworkPolicy/default-deny', (each) => (each.spec.egress = [{}]), 'no network policy']]

  it.each([
    ['wrong fields', fields],
    ['objects that do not match each other', relations],
    ['a namespace without a default deny', denial],
  ])('reports %s', async (_title, cases) => {
    const manifests = await renderEnvironment('production')
    for (const [key, change] of cases) change(find(manifests, key))
    const found = (await findProblems(manifests, requiredObjectKeys)).join('\n')
    expect(cases.map(([, , problem]) => problem).filter((problem) => !found.includes(problem))).toEqual([])
  })
})
