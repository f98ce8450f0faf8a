import { join } from 'node:path'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { exampleValues } from '../src/check/example-values.ts'
import { findProblems } from '../src/check/find-problems.ts'
import { overlays, render, renderOverlay } from '../src/check/render.ts'
import type { Manifest } from '../src/manifests/manifest.ts'
import { requiredObjectKeys } from '../src/required-objects.ts'

describe('the manifests of an environment', () => {
  it.each([...overlays])('have no problems in %s', async (overlay) => {
    const manifests = await renderOverlay(overlay)
    expect(manifests.length).toBeGreaterThan(50)
    expect(await findProblems(manifests, requiredObjectKeys)).toEqual([])
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

/** A manifest in which a test can change any field. */
// biome-ignore lint/suspicious/noExplicitAny: the tests create manifests that the types do not allow
type MutableManifest = any

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
