import type { SignerName } from '@wp/contracts'
import { consumersOf } from '../nats/permissions.ts'
import { declarationOf } from '../processes.ts'
import { brokerMigratorEnvironment, containerEnvironment, migratorEnvironment, shutdownTiming } from './environment.ts'
import { labelsOf, ports, priorityClasses, selectorOf } from './manifest.ts'

/** The image of every process; overlays set registry and version. */
export const platformImage = 'workspace-platform'

/** The user id of `node` in the image. */
const user = 1000

export const podSecurity = {
  runAsNonRoot: true,
  runAsUser: user,
  runAsGroup: user,
  fsGroup: user,
  seccompProfile: { type: 'RuntimeDefault' },
}

export const containerSecurity = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
}

/** A temporary folder, the signing key, the public keys, and the certificate authority of the database server. */
const volumeMounts = (name: SignerName) => [
  { name: 'tmp', mountPath: '/tmp' },
  { name: 'key', mountPath: '/keys', readOnly: true },
  { name: 'assertion-keys', mountPath: '/assertion-keys', readOnly: true },
  ...(declarationOf(name).hasDatabase ? [databaseMount] : []),
]

export const databaseMount = { name: 'postgres-ca', mountPath: '/postgres-ca', readOnly: true }

/** Mounts only the certificate of the operator's Secret, which also contains a private key. */
export const databaseVolume = {
  name: 'postgres-ca',
  secret: { secretName: 'postgres-ca', optional: true, items: [{ key: 'ca.crt', path: 'ca.crt' }] },
}

export const tmpVolume = { name: 'tmp', emptyDir: { sizeLimit: '1Gi' } }

export const migratorResources = {
  requests: { cpu: '50m', memory: '128Mi' },
  limits: { cpu: '1', memory: '256Mi' },
}

/** The pod of a process, with init containers that prepare its database and the broker if it has a database. */
export function podOf(name: SignerName) {
  const { hasDatabase, usesBroker, cpuRequest, memory } = declarationOf(name)
  const isGateway = name === 'gateway'
  const probe = (path: string) => ({ httpGet: { path, port: isGateway ? 'admin' : 'http' } })
  const script = isGateway ? 'gateway/src/main.ts' : `services/${name}/src/main.ts`
  return {
    metadata: { labels: labelsOf(name, isGateway ? 'edge' : 'service') },
    spec: {
      serviceAccountName: name,
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      priorityClassName: isGateway ? priorityClasses.edge : priorityClasses.service,
      terminationGracePeriodSeconds: shutdownTiming.preStop + shutdownTiming.grace + shutdownTiming.margin,
      securityContext: podSecurity,
      topologySpreadConstraints: ['topology.kubernetes.io/zone', 'kubernetes.io/hostname'].map((topologyKey) => ({
        maxSkew: 1,
        topologyKey,
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector: { matchLabels: selectorOf(name) },
        matchLabelKeys: ['pod-template-hash'],
      })),
      ...(hasDatabase ? { initContainers: [migratorOf(name), ...(usesBroker ? [brokerMigratorOf(name)] : [])] } : {}),
      containers: [
        {
          name,
          image: platformImage,
          command: ['node', script],
          ports: [
            { name: 'http', containerPort: ports.http },
            ...(isGateway ? [{ name: 'admin', containerPort: ports.admin }] : []),
          ],
          env: containerEnvironment(name),
          // Further variables of the process's config.ts, which the environment may set.
          envFrom: [
            { configMapRef: { name: `${name}-settings`, optional: true } },
            { secretRef: { name: `${name}-settings`, optional: true } },
          ],
          resources: {
            requests: { cpu: `${cpuRequest}m`, memory: `${memory.request}Mi` },
            limits: { cpu: '1', memory: `${memory.limit}Mi` },
          },
          startupProbe: { ...probe('/healthz'), periodSeconds: 1, timeoutSeconds: 2, failureThreshold: 60 },
          readinessProbe: { ...probe('/readyz'), periodSeconds: 2, timeoutSeconds: 2, failureThreshold: 2 },
          livenessProbe: { ...probe('/healthz'), periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 3 },
          // Load balancers stop sending requests before the process receives SIGTERM.
          lifecycle: { preStop: { sleep: { seconds: shutdownTiming.preStop } } },
          securityContext: containerSecurity,
          volumeMounts: volumeMounts(name),
        },
      ],
      volumes: [
        tmpVolume,
        { name: 'key', secret: { secretName: `${name}-key`, defaultMode: 0o440 } },
        { name: 'assertion-keys', configMap: { name: 'assertion-keys' } },
        ...(hasDatabase ? [databaseVolume] : []),
      ],
    },
  }
}

/**
 * Migrates the database as its owner before a new version starts. Replicas wait for each other; migrations run once.
 */
const migratorOf = (name: SignerName) => ({
  name: 'migrate',
  image: platformImage,
  command: ['node', 'infra/toolchain/migrations.ts', 'apply', name],
  env: migratorEnvironment(name),
  resources: migratorResources,
  securityContext: containerSecurity,
  volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }, databaseMount],
})

/** Creates the stream and the consumers of a process at the broker, which the process itself may not. */
export const brokerMigratorOf = (name: SignerName) => ({
  name: 'prepare-broker',
  image: platformImage,
  command: [
    'node',
    'infra/toolchain/broker.ts',
    // Kubernetes expands the variable; the placeholder is a valid part of a subject.
    ...[...consumersOf(name, 'SHARD')].map(([durable, filter]) => `${durable}=${filter.replace('SHARD', '$(SHARD)')}`),
  ],
  env: brokerMigratorEnvironment,
  // ACK_WAIT_SECONDS, which the consumers have to agree on with the process
  envFrom: [{ configMapRef: { name: `${name}-settings`, optional: true } }],
  resources: migratorResources,
  securityContext: containerSecurity,
  volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }],
})
