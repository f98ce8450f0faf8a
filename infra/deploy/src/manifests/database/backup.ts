import type { SignerName } from '@wp/contracts'
import { provisionerEnvironment } from '../environment.ts'
import { labelsOf, type Manifest } from '../manifest.ts'
import { provisionPolicy } from '../network-policies.ts'
import { containerSecurity, databaseMount, databaseVolume, platformImage, podSecurity, tmpVolume } from '../pod.ts'

const name = 'backup'
const metadata = { name, labels: labelsOf(name, 'backup') }
const folder = '/backups'

/** The complete backups that are kept on the volume; older ones are deleted after each new one. */
const keptBackups = 14

/**
 * A CronJob that writes a backup of these services' databases to the volume `backups` every night, and a suspended one,
 * from which an operator creates the job that restores a backup.
 */
export const backupManifests = (services: readonly SignerName[]): Manifest[] => [
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata, automountServiceAccountToken: false },
  {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { ...metadata, name: 'backups' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '50Gi' } } },
  },
  backupCronJob(services),
  restoreCronJob(services),
  provisionPolicy(metadata),
]

const backupCronJob = (services: readonly SignerName[]): Manifest =>
  createCronJob('backup', { schedule: '0 2 * * *', timeZone: 'Etc/UTC', startingDeadlineSeconds: 3_600 }, 2, {
    containers: [
      createContainer('backup', {
        command: [...backupCommand('backup'), '--into', folder, '--keep', String(keptBackups), ...services],
        env: provisionerEnvironment([]),
      }),
    ],
  })

/** Its job needs the variable BACKUP: the name of a folder on the volume. */
const restoreCronJob = (services: readonly SignerName[]): Manifest =>
  createCronJob('restore', { schedule: '0 0 1 1 *', suspend: true }, 0, {
    initContainers: [
      createContainer('migrate', {
        command: ['node', 'infra/toolchain/migrations.ts', 'apply', ...services],
        env: provisionerEnvironment(services),
      }),
    ],
    containers: [
      createContainer('restore', {
        command: [...backupCommand('restore'), `${folder}/$(BACKUP)`, ...services],
        env: [{ name: 'BACKUP', value: 'set-the-name-of-a-backup' }, ...provisionerEnvironment([])],
      }),
    ],
  })

const backupCommand = (command: 'backup' | 'restore') => ['node', 'infra/toolchain/backup.ts', command]

function createCronJob(
  jobName: string,
  timing: Record<string, unknown>,
  backoffLimit: number,
  containers: Record<string, unknown>,
): Manifest {
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { ...metadata, name: jobName },
    spec: {
      ...timing,
      concurrencyPolicy: 'Forbid',
      successfulJobsHistoryLimit: 1,
      failedJobsHistoryLimit: 3,
      jobTemplate: {
        spec: {
          backoffLimit,
          activeDeadlineSeconds: 6 * 3_600,
          template: {
            metadata: { labels: metadata.labels },
            spec: {
              serviceAccountName: name,
              automountServiceAccountToken: false,
              enableServiceLinks: false,
              restartPolicy: 'Never',
              securityContext: podSecurity,
              ...containers,
              volumes: [
                tmpVolume,
                databaseVolume,
                { name: 'backups', persistentVolumeClaim: { claimName: 'backups' } },
              ],
            },
          },
        },
      },
    },
  }
}

const createContainer = (containerName: string, container: { command: string[]; env: unknown[] }) => ({
  name: containerName,
  image: platformImage,
  ...container,
  resources: { requests: { cpu: '100m', memory: '256Mi' }, limits: { cpu: '1', memory: '512Mi' } },
  securityContext: containerSecurity,
  volumeMounts: [
    { name: 'tmp', mountPath: '/tmp' },
    databaseMount,
    ...(containerName === 'migrate' ? [] : [{ name: 'backups', mountPath: folder }]),
  ],
})
