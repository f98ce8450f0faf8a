import { processOf, type SignerName } from '@wp/contracts'
import { draining, environmentOf, migratorEnvironment } from './environment.ts'
import { labelsOf, port, selectorOf } from './manifest.ts'

/** The image of every process; overlays name registry and version. */
export const image = 'workspace-platform'

/** That of `node` in the image. */
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

/** Beside the keys that a process signs with and checks by, and what authority its database server is trusted by. */
const mounts = (name: SignerName) => [
  { name: 'tmp', mountPath: '/tmp' },
  { name: 'key', mountPath: '/keys', readOnly: true },
  { name: 'assertion-keys', mountPath: '/assertion-keys', readOnly: true },
  ...(processOf(name).database ? [databaseMount] : []),
]

export const databaseMount = { name: 'postgres-ca', mountPath: '/postgres-ca', readOnly: true }

/** Of an operator's Secret the certificate alone: the key beside it is nobody's business here. */
export const databaseVolume = {
  name: 'postgres-ca',
  secret: { secretName: 'postgres-ca', optional: true, items: [{ key: 'ca.crt', path: 'ca.crt' }] },
}

export const tmpVolume = { name: 'tmp', emptyDir: { sizeLimit: '1Gi' } }

export const migratorResources = {
  requests: { cpu: '50m', memory: '128Mi' },
  limits: { cpu: '1', memory: '256Mi' },
}

/** The pod of a process, with the migrator before it where it keeps something. */
export function podOf(name: SignerName) {
  const { database, memory } = processOf(name)
  const admin = name === 'gateway'
  const probe = (path: string) => ({ httpGet: { path, port: admin ? 'admin' : 'http' } })
  const script = admin ? 'gateway/src/main.ts' : `services/${name}/src/main.ts`
  return {
    metadata: { labels: labelsOf(name, admin ? 'edge' : 'service') },
    spec: {
      serviceAccountName: name,
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      terminationGracePeriodSeconds: draining.preStop + draining.grace + draining.margin,
      securityContext: podSecurity,
      topologySpreadConstraints: ['topology.kubernetes.io/zone', 'kubernetes.io/hostname'].map((topologyKey) => ({
        maxSkew: 1,
        topologyKey,
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector: { matchLabels: selectorOf(name) },
        matchLabelKeys: ['pod-template-hash'],
      })),
      ...(database ? { initContainers: [migratorOf(name)] } : {}),
      containers: [
        {
          name,
          image,
          command: ['node', script],
          ports: [
            { name: 'http', containerPort: port.http },
            ...(admin ? [{ name: 'admin', containerPort: port.admin }] : []),
          ],
          env: environmentOf(name),
          // What only an environment knows: variables of the process's config.ts that nothing else here says.
          envFrom: [
            { configMapRef: { name: `${name}-settings`, optional: true } },
            { secretRef: { name: `${name}-settings`, optional: true } },
          ],
          resources: {
            requests: { cpu: '100m', memory: `${memory.usual}Mi` },
            limits: { cpu: '1', memory: `${memory.most}Mi` },
          },
          startupProbe: { ...probe('/healthz'), periodSeconds: 1, timeoutSeconds: 2, failureThreshold: 60 },
          readinessProbe: { ...probe('/readyz'), periodSeconds: 2, timeoutSeconds: 2, failureThreshold: 2 },
          livenessProbe: { ...probe('/healthz'), periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 3 },
          // Whoever sends requests here learns of the end before it begins.
          lifecycle: { preStop: { sleep: { seconds: draining.preStop } } },
          securityContext: containerSecurity,
          volumeMounts: mounts(name),
        },
      ],
      volumes: [
        tmpVolume,
        { name: 'key', secret: { secretName: `${name}-key`, defaultMode: 0o440 } },
        { name: 'assertion-keys', configMap: { name: 'assertion-keys' } },
        ...(database ? [databaseVolume] : []),
      ],
    },
  }
}

/** Brings the tables up to date, as their owner, before a new version runs; replicas take turns and find nothing to do. */
const migratorOf = (name: SignerName) => ({
  name: 'migrate',
  image,
  command: ['node', 'infra/toolchain/migrations.ts', 'apply', name],
  env: migratorEnvironment(name),
  resources: migratorResources,
  securityContext: containerSecurity,
  volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }, databaseMount],
})
