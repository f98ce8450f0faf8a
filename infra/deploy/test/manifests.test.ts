import { join } from 'node:path'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { findProblems } from '../src/check/find-problems.ts'
import { overlays, render, renderOverlay } from '../src/check/render.ts'
import type { Manifest } from '../src/manifests/manifest.ts'
import { requiredObjectKeys } from '../src/required-objects.ts'

describe('the manifests of every environment', () => {
  it.each([...overlays])('%s is as Kubernetes and we would have it', async (overlay) => {
    const manifests = await renderOverlay(overlay)
    expect(manifests.length).toBeGreaterThan(50)
    expect(await findProblems(manifests, requiredObjectKeys)).toEqual([])
  })

  it('holds for a database server that somebody else runs', async () => {
    const manifests = await render(join(import.meta.dirname, 'fixture/external'))
    expect(await findProblems(manifests, requiredObjectKeys)).toEqual([])
    expect(JSON.stringify(manifests)).not.toContain('192.0.2.1')
  })
})

/** What a test may change in a manifest. */
// biome-ignore lint/suspicious/noExplicitAny: what is broken here is what the types would not let be broken
type Breakable = any

describe('a manifest that is broken', () => {
  let whole: Manifest[]
  beforeAll(async () => {
    whole = await renderOverlay('production')
  })

  const podOf = (manifest: Breakable) => manifest.spec.template.spec
  const own = (manifest: Breakable) => podOf(manifest).containers[0]
  const envOf = (manifest: Breakable, name: string) =>
    own(manifest).env.find((variable: Breakable) => variable.name === name)

  const cases: [string, string, (manifest: Breakable) => void, string][] = [
    // What Kubernetes' own schemas say
    [
      'a misspelt field',
      'Deployment/auth',
      (it) => (podOf(it).terminationGracePeriod = 40),
      '.spec.template.spec.terminationGracePeriod: there is no such field',
    ],
    [
      'a misspelt field deep in a list',
      'Deployment/auth',
      (it) => (own(it).readinessProbe.httpGet.pth = '/'),
      '.httpGet.pth: there is no such field',
    ],
    [
      'a misspelt field of metadata',
      'Service/auth',
      (it) => (it.metadata.label = {}),
      '.metadata.label: there is no such field',
    ],
    [
      'a misspelt field at the top',
      'PodDisruptionBudget/auth',
      (it) => (it.specs = {}),
      '.specs: there is no such field',
    ],
    [
      'a misspelt field of an autoscaler',
      'HorizontalPodAutoscaler/auth',
      (it) => (it.spec.metrics[0].resource.target.averageUtilisation = 1),
      'averageUtilisation: there is no such field',
    ],
    [
      'a misspelt field of an operator',
      'Cluster/postgres',
      (it) => (it.spec.storage.sizes = '1Gi'),
      '.spec.storage.sizes: there is no such field',
    ],
    [
      'text for a number',
      'Deployment/auth',
      (it) => (podOf(it).terminationGracePeriodSeconds = '40'),
      'must be integer',
    ],
    ['a number for text', 'Deployment/auth', (it) => (envOf(it, 'PORT').value = 8080), 'must be string'],
    [
      'a number for text at an operator',
      'Cluster/postgres',
      (it) => (it.spec.postgresql.parameters.max_connections = 400),
      'must be string',
    ],
    ['a list for an object', 'NetworkPolicy/auth', (it) => (it.spec.podSelector = []), 'must be object'],
    ['what must be there', 'Deployment/auth', (it) => delete it.spec.selector, 'lacks selector'],
    [
      'a kind that nobody knows',
      'Deployment/auth',
      (it) => (it.kind = 'Deploymint'),
      'no schema is known of apps/v1 Deploymint',
    ],
    [
      'a version that is gone',
      'HorizontalPodAutoscaler/auth',
      (it) => (it.apiVersion = 'autoscaling/v2beta2'),
      'no schema is known of autoscaling/v2beta2',
    ],
    // What points nowhere
    [
      'a Service whose selector matches nothing',
      'Service/auth',
      (it) => (it.spec.selector['app.kubernetes.io/name'] = 'oauth'),
      'Service auth: its selector matches nothing',
    ],
    [
      'a Service to a port that nobody has',
      'Service/auth',
      (it) => (it.spec.ports[0].targetPort = 'web'),
      'nobody behind it has the port web',
    ],
    [
      'a Deployment whose selector misses its pods',
      'Deployment/auth',
      (it) => (it.spec.selector.matchLabels['app.kubernetes.io/name'] = 'oauth'),
      'Deployment auth: its selector matches nothing',
    ],
    [
      'a spread over pods of another name',
      'Deployment/auth',
      (it) => (podOf(it).topologySpreadConstraints[0].labelSelector.matchLabels['app.kubernetes.io/name'] = 'oauth'),
      'its selector matches nothing',
    ],
    [
      'a budget of no pods',
      'PodDisruptionBudget/auth',
      (it) => (it.spec.selector.matchLabels['app.kubernetes.io/name'] = 'oauth'),
      'its selector matches nothing',
    ],
    [
      'a policy of no pods',
      'NetworkPolicy/auth',
      (it) => (it.spec.podSelector.matchLabels['app.kubernetes.io/name'] = 'oauth'),
      'its selector matches nothing',
    ],
    [
      'a policy that lets nobody in',
      'NetworkPolicy/auth',
      (it) => (it.spec.ingress[0].from[0].podSelector.matchLabels['app.kubernetes.io/name'] = 'gatway'),
      'its peer',
    ],
    [
      'an autoscaler of nothing',
      'HorizontalPodAutoscaler/auth',
      (it) => (it.spec.scaleTargetRef.name = 'oauth'),
      'its target matches nothing',
    ],
    [
      'an Ingress to nothing',
      'Ingress/gateway',
      (it) => (it.spec.rules[0].http.paths[0].backend.service.name = 'edge'),
      'its backend matches nothing',
    ],
    [
      'a volume that does not exist',
      'Deployment/auth',
      (it) => (own(it).volumeMounts[0].name = 'temp'),
      'mounts the volume temp, which does not exist',
    ],
    [
      'a volume that nobody mounts',
      'Deployment/gateway',
      (it) => own(it).volumeMounts.shift(),
      'nobody mounts the volume tmp',
    ],
    [
      'a Secret that nobody makes',
      'Deployment/auth',
      (it) => (podOf(it).volumes[1].secret.secretName = 'auth-keys'),
      'there is no Secret auth-keys',
    ],
    [
      'a key that a Secret has not',
      'Deployment/auth',
      (it) => (envOf(it, 'KEK').valueFrom.secretKeyRef.key = 'KEKS'),
      'there is no Secret auth-secrets/KEKS',
    ],
    [
      'a key that a ConfigMap has not',
      'Deployment/auth',
      (it) => (envOf(it, 'SHARD').valueFrom.configMapKeyRef.key = 'SHRAD'),
      '/SHRAD',
    ],
    [
      'a key of another service',
      'StatefulSet/nats',
      (it) => (own(it).env[1].valueFrom.secretKeyRef.key = 'nobody'),
      'there is no Secret nats-users/nobody',
    ],
    [
      'an account that is not there',
      'Deployment/auth',
      (it) => (podOf(it).serviceAccountName = 'oauth'),
      'there is no ServiceAccount oauth',
    ],
    [
      'a probe of a port that is not there',
      'Deployment/auth',
      (it) => (own(it).livenessProbe.httpGet.port = 'web'),
      'asks at the port web',
    ],
    // What we would not have
    [
      'a request above its limit',
      'Deployment/auth',
      (it) => (own(it).resources.requests.memory = '1Gi'),
      'asks for more memory than its limit',
    ],
    [
      'a request of cpu above its limit',
      'StatefulSet/nats',
      (it) => (own(it).resources.requests.cpu = '1500m'),
      'asks for more cpu than its limit',
    ],
    [
      'no limit',
      'Job/provision-home',
      (it) => delete own(it).resources.limits.cpu,
      'lacks a request or a limit of cpu',
    ],
    [
      'no limit of what runs before',
      'Deployment/auth',
      (it) => delete podOf(it).initContainers[0].resources,
      'migrate lacks',
    ],
    ['no probe', 'Deployment/auth', (it) => delete own(it).startupProbe, 'has no startupProbe'],
    ['root by the pod', 'Deployment/auth', (it) => (podOf(it).securityContext.runAsUser = 0), 'may run as root'],
    [
      'root by a container',
      'StatefulSet/nats',
      (it) => (own(it).securityContext.runAsUser = 0),
      'nats may run as root',
    ],
    [
      'an image that may be written to',
      'Deployment/auth',
      (it) => (podOf(it).initContainers[0].securityContext.readOnlyRootFilesystem = false),
      'migrate may write to its image',
    ],
    [
      'capabilities',
      'Deployment/auth',
      (it) => (own(it).securityContext.capabilities.add = ['NET_RAW']),
      'keeps capabilities',
    ],
    [
      'more privileges',
      'Deployment/auth',
      (it) => delete own(it).securityContext.allowPrivilegeEscalation,
      'may gain privileges',
    ],
    [
      'no seccomp profile',
      'Deployment/auth',
      (it) => delete podOf(it).securityContext.seccompProfile,
      'has no seccomp profile',
    ],
    [
      'a token',
      'Deployment/auth',
      (it) => delete podOf(it).automountServiceAccountToken,
      "has a token of the cluster's interface",
    ],
    ["the node's network", 'Deployment/auth', (it) => (podOf(it).hostNetwork = true), "in the node's own namespaces"],
    [
      "the node's files",
      'Deployment/auth',
      (it) => (podOf(it).volumes[0] = { name: 'tmp', hostPath: { path: '/' } }),
      "sees the node's files",
    ],
    [
      'the latest image',
      'Deployment/auth',
      (it) => (own(it).image = 'registry.example.com/workspace-platform:latest'),
      'which may be any',
    ],
    [
      'an image of no version',
      'Deployment/auth',
      (it) => (own(it).image = 'registry.example.com:5000/workspace-platform'),
      'which may be any',
    ],
    [
      'an image of no version at an operator',
      'Cluster/postgres',
      (it) => (it.spec.imageName = 'ghcr.io/cloudnative-pg/postgresql:latest'),
      'Cluster postgres: has the image',
    ],
    [
      'a gap while it is replaced',
      'Deployment/auth',
      (it) => (it.spec.strategy.rollingUpdate.maxUnavailable = 1),
      'before there is another',
    ],
    [
      'no time to be heard',
      'Deployment/auth',
      (it) => (own(it).lifecycle.preStop.sleep.seconds = 2),
      'before those who send it requests',
    ],
    [
      'an early death',
      'Deployment/auth',
      (it) => (podOf(it).terminationGracePeriodSeconds = 30),
      'is killed before it has ended',
    ],
    ['no drain', 'Deployment/auth', (it) => (envOf(it, 'DRAIN_SECONDS').value = '0'), 'does not drain'],
    [
      'a policy less',
      'NetworkPolicy/auth',
      (it) => (it.spec.podSelector = { matchLabels: { 'app.kubernetes.io/name': 'system' } }),
      'have no network policy',
    ],
    ['nothing denied', 'NetworkPolicy/default-deny', (it) => (it.spec.egress = [{}]), 'have no network policy'],
    [
      'a name that is there twice',
      'Deployment/auth',
      (it) => (it.metadata.name = 'system'),
      'Deployment system in wp-one: is there twice',
    ],
  ]

  it.each(cases)('is told of %s', async (_what, which, breakIt, problem) => {
    const manifests = structuredClone(whole)
    const broken = manifests.find(({ kind, metadata }) => `${kind}/${metadata.name}` === which)
    breakIt(broken)
    const found = await findProblems(manifests, requiredObjectKeys)
    expect(found.join('\n')).toContain(problem)
  })
})
