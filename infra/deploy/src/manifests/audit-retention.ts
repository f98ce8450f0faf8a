import { auditRetentionEnvironment } from './environment.ts'
import { labelsOf, type Manifest } from './manifest.ts'
import { provisionPolicy } from './network-policies.ts'
import {
  containerSecurity,
  databaseMount,
  databaseVolume,
  migratorResources,
  platformImage,
  podSecurity,
  tmpVolume,
} from './pod.ts'

const name = 'audit-retention'
const metadata = { name, labels: labelsOf(name, 'retention') }

const template = {
  metadata: { labels: metadata.labels },
  spec: {
    serviceAccountName: name,
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    restartPolicy: 'Never',
    securityContext: podSecurity,
    containers: [
      {
        name: 'retention',
        image: platformImage,
        command: ['node', 'services/audit/src/retention-main.ts'],
        env: auditRetentionEnvironment,
        // AUDIT_RETENTION_DAYS, the retention of chains of which none is known
        envFrom: [{ configMapRef: { name: 'audit-settings', optional: true } }],
        resources: migratorResources,
        securityContext: containerSecurity,
        volumeMounts: [
          { name: 'tmp', mountPath: '/tmp' },
          { name: 'key', mountPath: '/keys', readOnly: true },
          databaseMount,
        ],
      },
    ],
    volumes: [
      tmpVolume,
      {
        name: 'key',
        secret: {
          secretName: 'audit-key',
          defaultMode: 0o440,
          items: [{ key: 'audit-signing-keys.json', path: 'audit-signing-keys.json' }],
        },
      },
      databaseVolume,
    ],
  },
}

/**
 * A CronJob that cuts the audit records whose retention has ended, every night, as a database role that the service
 * does not have.
 */
export const auditRetentionManifests = (): Manifest[] => [
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata, automountServiceAccountToken: false },
  {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata,
    spec: {
      schedule: '30 3 * * *',
      timeZone: 'Etc/UTC',
      startingDeadlineSeconds: 3_600,
      concurrencyPolicy: 'Forbid',
      successfulJobsHistoryLimit: 1,
      failedJobsHistoryLimit: 3,
      jobTemplate: { spec: { backoffLimit: 2, activeDeadlineSeconds: 6 * 3_600, template } },
    },
  },
  provisionPolicy(metadata),
]
