import { brokerUserNames, passwordVariable } from '../nats/users.ts'
import { labelsOf, type Manifest, ports, priorityClasses, selectorOf } from './manifest.ts'
import { brokerPolicy } from './network-policies.ts'
import { containerSecurity } from './pod.ts'

const image = 'nats'
const metadata = { name: 'nats', labels: labelsOf('nats', 'broker') }
const user = 1000

/** The seconds in which a server in lame duck mode closes its connections; `lame_duck_duration` in nats.conf. */
const lameDuckSeconds = 30

/** The broker of a cell: a cluster of three servers, each with a volume. */
export const brokerManifests = (): Manifest[] => [
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata, automountServiceAccountToken: false },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata,
    spec: { selector: selectorOf('nats'), ports: [{ name: 'client', port: ports.nats, targetPort: 'client' }] },
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { ...metadata, name: 'nats-servers' },
    spec: {
      clusterIP: 'None',
      // The servers connect to each other before they are ready.
      publishNotReadyAddresses: true,
      selector: selectorOf('nats'),
      ports: [{ name: 'cluster', port: 6222, targetPort: 'cluster' }],
    },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata,
    spec: {
      serviceName: 'nats-servers',
      replicas: 3,
      podManagementPolicy: 'Parallel',
      selector: { matchLabels: selectorOf('nats') },
      template: { metadata: { labels: metadata.labels }, spec: brokerPod() },
      volumeClaimTemplates: [
        {
          metadata: { name: 'data' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '10Gi' } } },
        },
      ],
    },
  },
  {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata,
    spec: {
      selector: { matchLabels: selectorOf('nats') },
      maxUnavailable: 1,
      unhealthyPodEvictionPolicy: 'AlwaysAllow',
    },
  },
  brokerPolicy,
]

function brokerPod() {
  return {
    serviceAccountName: 'nats',
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    priorityClassName: priorityClasses.storage,
    terminationGracePeriodSeconds: lameDuckSeconds + 30,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: user,
      runAsGroup: user,
      fsGroup: user,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    // Required and not only preferred: a volume stays in the zone in which its pod was first placed.
    topologySpreadConstraints: ['topology.kubernetes.io/zone', 'kubernetes.io/hostname'].map((topologyKey) => ({
      maxSkew: 1,
      topologyKey,
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchLabels: selectorOf('nats') },
    })),
    initContainers: [configureContainer],
    containers: [serverContainer()],
    volumes: [
      { name: 'template', configMap: { name: 'nats' } },
      { name: 'configuration', emptyDir: { medium: 'Memory', sizeLimit: '1Mi' } },
      { name: 'tmp', emptyDir: { sizeLimit: '16Mi' } },
    ],
  }
}

function serverContainer() {
  const probe = (path: string) => ({ httpGet: { path, port: 'monitor' }, timeoutSeconds: 5 })
  return {
    name: 'nats',
    image,
    command: ['nats-server', '--config', '/etc/nats/nats.conf'],
    ports: [
      { name: 'client', containerPort: ports.nats },
      { name: 'cluster', containerPort: 6222 },
      { name: 'monitor', containerPort: 8222 },
    ],
    env: [
      { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      ...brokerUserNames.map((name) => ({
        name: passwordVariable(name),
        valueFrom: { secretKeyRef: { name: 'nats-users', key: name } },
      })),
      // By default, Go sizes its heap by the memory of the node.
      { name: 'GOMEMLIMIT', value: '400MiB' },
    ],
    resources: { requests: { cpu: '100m', memory: '256Mi' }, limits: { cpu: '1', memory: '512Mi' } },
    startupProbe: { ...probe('/healthz'), periodSeconds: 2, failureThreshold: 150 },
    readinessProbe: { ...probe('/healthz?js-server-only=true'), periodSeconds: 5, failureThreshold: 3 },
    livenessProbe: { ...probe('/healthz?js-enabled-only=true'), periodSeconds: 30, failureThreshold: 3 },
    // Lame duck mode: the server tells its clients to reconnect elsewhere, and waits for them.
    lifecycle: { preStop: { exec: { command: ['nats-server', '--signal', 'ldm=/tmp/nats.pid'] } } },
    securityContext: containerSecurity,
    volumeMounts: [
      { name: 'data', mountPath: '/data' },
      { name: 'configuration', mountPath: '/etc/nats', readOnly: true },
      { name: 'tmp', mountPath: '/tmp' },
    ],
  }
}

/**
 * Replaces the shard in subjects and the password in routes, because nats-server expands variables only as whole
 * values.
 */
const configureContainer = {
  name: 'configure',
  image,
  command: [
    'sh',
    '-ec',
    'for file in /template/*.conf; do sed "s/SHARD/$SHARD/g; s/ROUTE_PASSWORD/$ROUTE_PASSWORD/g" "$file" > "/etc/nats/$' +
      '{file##*/}"; done',
  ],
  env: [
    { name: 'SHARD', valueFrom: { configMapKeyRef: { name: 'platform', key: 'SHARD' } } },
    { name: 'ROUTE_PASSWORD', valueFrom: { secretKeyRef: { name: 'nats-users', key: 'route' } } },
  ],
  resources: { requests: { cpu: '10m', memory: '16Mi' }, limits: { cpu: '100m', memory: '32Mi' } },
  securityContext: containerSecurity,
  volumeMounts: [
    { name: 'template', mountPath: '/template', readOnly: true },
    { name: 'configuration', mountPath: '/etc/nats' },
  ],
}
