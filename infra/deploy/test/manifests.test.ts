import { join } from 'node:path'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { forwardConfig as gatewayConfig } from '../../../gateway/src/forward/config.ts'
import { exampleValues } from '../src/check/example-values.ts'
import { findProblems } from '../src/check/find-problems.ts'
import { canReach, type PodLocation } from '../src/check/network-reachability.ts'
import { overlays, render } from '../src/check/render.ts'
import { type Manifest, ports } from '../src/manifests/manifest.ts'
import { requiredObjectKeys, requiredObjects } from '../src/required-objects.ts'
import { renderOverlay } from './fixture/rendered-overlays.ts'

/** A manifest in which a test can read and change any field. */
// biome-ignore lint/suspicious/noExplicitAny: the tests create manifests that the types do not allow
type MutableManifest = any

describe('the manifests of an environment', () => {
  it.each([...overlays])('have no problems in %s', async (overlay) => {
    const manifests = await renderOverlay(overlay)
    expect(manifests.length).toBeGreaterThan(50)
    expect(await findProblems(manifests, requiredObjectKeys)).toEqual([])
  })

  it('of production and the sandbox can be applied to one cluster', async () => {
    const keyOf = ({ kind, metadata: { namespace = '', name } }: Manifest) => `${kind}/${namespace}/${name}`
    const [production, sandbox] = await Promise.all(['production', 'sandbox'].map(renderOverlay))
    const byKey = new Map(production?.map((manifest) => [keyOf(manifest), manifest]))
    const shared = sandbox?.filter((manifest) => byKey.has(keyOf(manifest))) ?? []
    expect([...new Set(shared.map(({ kind }) => kind))]).toEqual(['PriorityClass'])
    for (const manifest of shared) expect(byKey.get(keyOf(manifest))).toEqual(manifest)
  })

  it('have no problems with an external database server', async () => {
    const manifests = await render(join(import.meta.dirname, 'fixture/external'))
    expect(await findProblems(manifests, requiredObjectKeys)).toEqual([])
    expect(exampleValues(manifests).filter((value) => value.startsWith('DATABASE_HOST'))).toEqual([
      'DATABASE_HOST is db.example.com:5432',
    ])
    expect(JSON.stringify(manifests)).not.toContain('192.0.2.1')
  })
})

describe('the manifests of production with every optional component', () => {
  let manifests: Manifest[]
  beforeAll(async () => {
    manifests = await render(join(import.meta.dirname, 'fixture/extensions'))
  })
  const specOf = (key: string): MutableManifest =>
    (manifests.find(({ kind, metadata }) => `${kind}/${metadata.name}` === key) as MutableManifest)?.spec

  it('have no problems', async () => {
    expect(await findProblems(manifests, requiredObjectKeys)).toEqual([])
    expect(manifests.filter(({ kind }) => kind === 'Ingress')).toEqual([])
  })

  it('have external metrics in the form in which Kubernetes stores them', () => {
    const target = specOf('HorizontalPodAutoscaler/webhook-delivery').metrics[1].external.target
    expect(target).toEqual({ type: 'AverageValue', averageValue: '5k' })
  })

  it('take every generated Secret from the secret manager', () => {
    const external = manifests.filter(({ kind }) => kind === 'ExternalSecret').map(({ metadata }) => metadata.name)
    const generated = requiredObjects.filter(({ kind, by }) => kind === 'Secret' && by === 'keys')
    expect(external.sort()).toEqual(generated.map(({ name }) => name).sort())
  })

  it('scrape the ports that the network policies open for the scraper', () => {
    const gatherer = { 'workspace-platform/metrics': 'gatherer' }
    const scraper = { namespace: 'monitoring', labels: {} }
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'monitoring', labels: gatherer } }
    const reaches = (to: PodLocation, port: number) => canReach([...manifests, namespace], scraper, to, port)
    const pods = (name: string) => ({ namespace: 'wp-one', labels: { 'app.kubernetes.io/name': name } })
    expect(reaches(pods('gateway'), ports.admin)).toBe(true)
    expect(reaches(pods('auth'), ports.http)).toBe(true)
    expect(reaches({ namespace: 'wp-one', labels: { 'workspace-platform/role': 'database' } }, 9187)).toBe(true)
    expect(specOf('PodMonitor/gateway').podMetricsEndpoints[0]).toMatchObject({ port: 'admin', honorLabels: true })
  })

  it('let processes reach the collector of traces, in a namespace with its label only', () => {
    const label = { 'workspace-platform/traces': 'collector' }
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'monitoring', labels: label } }
    const from = { namespace: 'wp-one', labels: { 'app.kubernetes.io/name': 'solutions' } }
    const to = { namespace: 'monitoring', labels: {} }
    expect(canReach([...manifests, namespace], from, to, ports.otlp)).toBe(true)
    expect(canReach([...manifests, namespace], from, to, ports.otlp + 1)).toBe(false)
    const unlabelled = { ...namespace, metadata: { name: 'monitoring', labels: {} } }
    expect(canReach([...manifests, unlabelled], from, to, ports.otlp)).toBe(false)
  })
})

describe('the manifests of sandbox', () => {
  it('let a node with the only database server be drained', async () => {
    const cluster = (await renderOverlay('sandbox')).find(({ kind }) => kind === 'Cluster')
    expect(cluster?.spec).toMatchObject({ instances: 1, enablePDB: false })
  })
})

describe('the manifests of production', () => {
  let manifests: Manifest[]
  beforeAll(async () => {
    manifests = await renderOverlay('production')
  })
  const specOf = (key: string): MutableManifest =>
    (manifests.find(({ kind, metadata }) => `${kind}/${metadata.name}` === key) as MutableManifest)?.spec

  it('spread broker and database over zones and hosts', () => {
    const keysOf = (constraints: MutableManifest[]) =>
      constraints.filter((each) => each.whenUnsatisfiable === 'DoNotSchedule').map((each) => each.topologyKey)
    expect(keysOf(specOf('StatefulSet/nats').template.spec.topologySpreadConstraints)).toEqual([
      'topology.kubernetes.io/zone',
      'kubernetes.io/hostname',
    ])
    const { affinity, topologySpreadConstraints } = specOf('Cluster/postgres')
    expect(keysOf(topologySpreadConstraints)).toEqual(['topology.kubernetes.io/zone'])
    expect(affinity).toMatchObject({ topologyKey: 'kubernetes.io/hostname', podAntiAffinityType: 'required' })
  })

  it('have no empty lists, which the API server does not store', () => {
    const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy').map(({ spec }) => JSON.stringify(spec))
    expect(policies.filter((text) => /"(ingress|egress)":\[\]/.test(text))).toEqual([])
  })

  it('scale without external metrics, because an autoscaler that lacks one never scales down', () => {
    expect(JSON.stringify(manifests)).not.toContain('"External"')
  })

  it('delete finished jobs, and end those that do not', () => {
    const jobs = manifests.filter(({ kind }) => kind === 'Job').map(({ spec }) => spec)
    expect(jobs).toHaveLength(2)
    for (const job of jobs) expect(job).toMatchObject({ ttlSecondsAfterFinished: 86_400, activeDeadlineSeconds: 600 })
  })

  it('keep requests and uploads at the ingress longer than the gateway does', () => {
    const ingress = manifests.find(({ kind }) => kind === 'Ingress')
    const annotation = (name: string) => ingress?.metadata.annotations?.[`nginx.ingress.kubernetes.io/${name}`]
    const longest = Math.max(
      ...[gatewayConfig.UPLOAD_TIMEOUT_SECONDS, gatewayConfig.LONG_TIMEOUT_SECONDS].map((each) =>
        each.parse(undefined),
      ),
    )
    expect(Number(annotation('proxy-read-timeout'))).toBeGreaterThan(longest)
    expect(annotation('proxy-body-size')).toBe('0')
    expect(annotation('proxy-buffering')).toBe('off')
  })
})

describe('findProblems', () => {
  let valid: Manifest[]
  beforeAll(async () => {
    valid = await renderOverlay('production')
  })

  const podOf = (manifest: MutableManifest) => manifest.spec.template.spec
  const own = (manifest: MutableManifest) => podOf(manifest).containers[0]
  const envOf = (manifest: MutableManifest, name: string) =>
    own(manifest).env.find((variable: MutableManifest) => variable.name === name)

  const cases: [string, string, (manifest: MutableManifest) => void, string][] = [
    // Schema violations
    [
      'a misspelt field',
      'Deployment/auth',
      (manifest) => (podOf(manifest).terminationGracePeriod = 40),
      '.spec.template.spec.terminationGracePeriod: there is no such field',
    ],
    [
      'a misspelt field deep in a list',
      'Deployment/auth',
      (manifest) => (own(manifest).readinessProbe.httpGet.pth = '/'),
      '.httpGet.pth: there is no such field',
    ],
    [
      'a misspelt field of metadata',
      'Service/auth',
      (manifest) => (manifest.metadata.label = {}),
      '.metadata.label: there is no such field',
    ],
    [
      'a misspelt field at the top',
      'PodDisruptionBudget/auth',
      (manifest) => (manifest.specs = {}),
      '.specs: there is no such field',
    ],
    [
      'a misspelt field of an autoscaler',
      'HorizontalPodAutoscaler/auth',
      (manifest) => (manifest.spec.metrics[0].resource.target.averageUtilisation = 1),
      'averageUtilisation: there is no such field',
    ],
    [
      'a misspelt field in an operator object',
      'Cluster/postgres',
      (manifest) => (manifest.spec.storage.sizes = '1Gi'),
      '.spec.storage.sizes: there is no such field',
    ],
    [
      'text instead of a number',
      'Deployment/auth',
      (manifest) => (podOf(manifest).terminationGracePeriodSeconds = '40'),
      'must be integer',
    ],
    [
      'a number instead of text',
      'Deployment/auth',
      (manifest) => (envOf(manifest, 'PORT').value = 8080),
      'must be string',
    ],
    [
      'a number instead of text in an operator object',
      'Cluster/postgres',
      (manifest) => (manifest.spec.postgresql.parameters.max_connections = 400),
      'must be string',
    ],
    [
      'a list instead of an object',
      'NetworkPolicy/auth',
      (manifest) => (manifest.spec.podSelector = []),
      'must be object',
    ],
    ['a missing required field', 'Deployment/auth', (manifest) => delete manifest.spec.selector, 'lacks selector'],
    [
      'an unknown kind',
      'Deployment/auth',
      (manifest) => (manifest.kind = 'Deploymint'),
      'no schema is known of apps/v1 Deploymint',
    ],
    [
      'a removed API version',
      'HorizontalPodAutoscaler/auth',
      (manifest) => (manifest.apiVersion = 'autoscaling/v2beta2'),
      'no schema is known of autoscaling/v2beta2',
    ],
    // References to missing objects
    [
      'a Service whose selector matches nothing',
      'Service/auth',
      (manifest) => (manifest.spec.selector['app.kubernetes.io/name'] = 'oauth'),
      'Service auth: its selector matches nothing',
    ],
    [
      'a Service whose target port does not exist',
      'Service/auth',
      (manifest) => (manifest.spec.ports[0].targetPort = 'web'),
      'no pod behind it has the port web',
    ],
    [
      'a Deployment whose selector does not match its pods',
      'Deployment/auth',
      (manifest) => (manifest.spec.selector.matchLabels['app.kubernetes.io/name'] = 'oauth'),
      'Deployment auth: its selector matches nothing',
    ],
    [
      'a topology spread over other pods',
      'Deployment/auth',
      (manifest) =>
        (podOf(manifest).topologySpreadConstraints[0].labelSelector.matchLabels['app.kubernetes.io/name'] = 'oauth'),
      'its selector matches nothing',
    ],
    [
      'a disruption budget without pods',
      'PodDisruptionBudget/auth',
      (manifest) => (manifest.spec.selector.matchLabels['app.kubernetes.io/name'] = 'oauth'),
      'its selector matches nothing',
    ],
    [
      'a network policy without pods',
      'NetworkPolicy/auth',
      (manifest) => (manifest.spec.podSelector.matchLabels['app.kubernetes.io/name'] = 'oauth'),
      'its selector matches nothing',
    ],
    [
      'a network policy whose peer does not exist',
      'NetworkPolicy/auth',
      (manifest) => (manifest.spec.ingress[0].from[0].podSelector.matchLabels['app.kubernetes.io/name'] = 'gatway'),
      'its peer',
    ],
    [
      'an autoscaler without a target',
      'HorizontalPodAutoscaler/auth',
      (manifest) => (manifest.spec.scaleTargetRef.name = 'oauth'),
      'its target matches nothing',
    ],
    [
      'an Ingress without a backend',
      'Ingress/gateway',
      (manifest) => (manifest.spec.rules[0].http.paths[0].backend.service.name = 'edge'),
      'its backend matches nothing',
    ],
    [
      'a volume that does not exist',
      'Deployment/auth',
      (manifest) => (own(manifest).volumeMounts[0].name = 'temp'),
      'mounts the volume temp, which does not exist',
    ],
    [
      'a volume claim that does not exist',
      'CronJob/backup',
      (manifest) => (manifest.spec.jobTemplate.spec.template.spec.volumes[2].persistentVolumeClaim.claimName = 'other'),
      'there is no PersistentVolumeClaim other',
    ],
    [
      'a scheduled pod that runs as root',
      'CronJob/prepare-broker',
      (manifest) => (manifest.spec.jobTemplate.spec.template.spec.securityContext.runAsUser = 0),
      'CronJob prepare-broker: may run as root',
    ],
    [
      'a volume that is not mounted',
      'Deployment/gateway',
      (manifest) => own(manifest).volumeMounts.shift(),
      'no container mounts the volume tmp',
    ],
    [
      'a missing Secret',
      'Deployment/auth',
      (manifest) => (podOf(manifest).volumes[1].secret.secretName = 'auth-keys'),
      'there is no Secret auth-keys',
    ],
    [
      'a missing key of a Secret',
      'Deployment/auth',
      (manifest) => (envOf(manifest, 'KEK').valueFrom.secretKeyRef.key = 'KEKS'),
      'there is no Secret auth-secrets/KEKS',
    ],
    [
      'a missing key of a ConfigMap',
      'Deployment/auth',
      (manifest) => (envOf(manifest, 'SHARD').valueFrom.configMapKeyRef.key = 'SHRAD'),
      '/SHRAD',
    ],
    [
      'a missing key of a shared Secret',
      'StatefulSet/nats',
      (manifest) => (own(manifest).env[1].valueFrom.secretKeyRef.key = 'unknown'),
      'there is no Secret nats-users/unknown',
    ],
    [
      'a missing service account',
      'Deployment/auth',
      (manifest) => (podOf(manifest).serviceAccountName = 'oauth'),
      'there is no ServiceAccount oauth',
    ],
    [
      'a probe of a missing port',
      'Deployment/auth',
      (manifest) => (own(manifest).livenessProbe.httpGet.port = 'web'),
      'uses the port web',
    ],
    // Settings that the platform requires
    [
      'a memory request above its limit',
      'Deployment/auth',
      (manifest) => (own(manifest).resources.requests.memory = '1Gi'),
      'asks for more memory than its limit',
    ],
    [
      'a CPU request above its limit',
      'StatefulSet/nats',
      (manifest) => (own(manifest).resources.requests.cpu = '1500m'),
      'asks for more cpu than its limit',
    ],
    [
      'a missing limit',
      'Job/provision-home',
      (manifest) => delete own(manifest).resources.limits.cpu,
      'lacks a request or a limit of cpu',
    ],
    [
      'missing resources of an init container',
      'Deployment/auth',
      (manifest) => delete podOf(manifest).initContainers[0].resources,
      'migrate lacks',
    ],
    [
      'a missing priority class',
      'Deployment/auth',
      (manifest) => (podOf(manifest).priorityClassName = 'high'),
      'there is no PriorityClass high',
    ],
    [
      'more replicas than the database server has connections for',
      'HorizontalPodAutoscaler/auth',
      (manifest) => (manifest.spec.maxReplicas = 60),
      'Cluster postgres: has 1000 connections, but',
    ],
    ['a missing probe', 'Deployment/auth', (manifest) => delete own(manifest).startupProbe, 'has no startupProbe'],
    [
      'a pod that runs as root',
      'Deployment/auth',
      (manifest) => (podOf(manifest).securityContext.runAsUser = 0),
      'may run as root',
    ],
    [
      'a container that runs as root',
      'StatefulSet/nats',
      (manifest) => (own(manifest).securityContext.runAsUser = 0),
      'nats may run as root',
    ],
    [
      'a writable root filesystem',
      'Deployment/auth',
      (manifest) => (podOf(manifest).initContainers[0].securityContext.readOnlyRootFilesystem = false),
      'migrate has a writable root filesystem',
    ],
    [
      'an added capability',
      'Deployment/auth',
      (manifest) => (own(manifest).securityContext.capabilities.add = ['NET_RAW']),
      'keeps capabilities',
    ],
    [
      'privilege escalation',
      'Deployment/auth',
      (manifest) => delete own(manifest).securityContext.allowPrivilegeEscalation,
      'may gain privileges',
    ],
    [
      'a missing seccomp profile',
      'Deployment/auth',
      (manifest) => delete podOf(manifest).securityContext.seccompProfile,
      'has no seccomp profile',
    ],
    [
      'a service account token',
      'Deployment/auth',
      (manifest) => delete podOf(manifest).automountServiceAccountToken,
      'mounts a service account token',
    ],
    ['the host network', 'Deployment/auth', (manifest) => (podOf(manifest).hostNetwork = true), 'uses host namespaces'],
    [
      'a host path',
      'Deployment/auth',
      (manifest) => (podOf(manifest).volumes[0] = { name: 'tmp', hostPath: { path: '/' } }),
      'mounts files of the node',
    ],
    [
      'an image with the tag latest',
      'Deployment/auth',
      (manifest) => (own(manifest).image = 'registry.example.com/workspace-platform:latest'),
      'whose version is not pinned',
    ],
    [
      'an image without a tag',
      'Deployment/auth',
      (manifest) => (own(manifest).image = 'registry.example.com:5000/workspace-platform'),
      'whose version is not pinned',
    ],
    [
      'an unpinned image in an operator object',
      'Cluster/postgres',
      (manifest) => (manifest.spec.imageName = 'ghcr.io/cloudnative-pg/postgresql:latest'),
      'Cluster postgres: has the image',
    ],
    [
      'an interruption during replacement',
      'Deployment/auth',
      (manifest) => (manifest.spec.strategy.rollingUpdate.maxUnavailable = 1),
      'before its replacement is ready',
    ],
    [
      'a short preStop sleep',
      'Deployment/auth',
      (manifest) => (own(manifest).lifecycle.preStop.sleep.seconds = 2),
      'stops before load balancers have removed it',
    ],
    [
      'a short termination grace period',
      'Deployment/auth',
      (manifest) => (podOf(manifest).terminationGracePeriodSeconds = 30),
      'is killed before its shutdown has finished',
    ],
    [
      'a missing drain',
      'Deployment/auth',
      (manifest) => (envOf(manifest, 'DRAIN_SECONDS').value = '0'),
      'does not drain',
    ],
    [
      'a pod without a network policy',
      'NetworkPolicy/auth',
      (manifest) => (manifest.spec.podSelector = { matchLabels: { 'app.kubernetes.io/name': 'system' } }),
      'have no network policy',
    ],
    [
      'a namespace without a default deny',
      'NetworkPolicy/default-deny',
      (manifest) => (manifest.spec.egress = [{}]),
      'have no network policy',
    ],
    [
      'a duplicate object',
      'Deployment/auth',
      (manifest) => (manifest.metadata.name = 'system'),
      'Deployment system in wp-one: exists twice',
    ],
  ]

  it.each(cases)('reports %s', async (_title, key, change, problem) => {
    const manifests = structuredClone(valid)
    const changed = manifests.find(({ kind, metadata }) => `${kind}/${metadata.name}` === key)
    change(changed)
    const found = await findProblems(manifests, requiredObjectKeys)
    expect(found.join('\n')).toContain(problem)
  })
})
