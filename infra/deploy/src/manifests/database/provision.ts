import type { SignerName } from '@wp/contracts'
import { provisionerEnvironment } from '../environment.ts'
import { labelsOf, type Manifest } from '../manifest.ts'
import { provisionPolicy } from '../network-policies.ts'
import {
  containerSecurity,
  databaseMount,
  databaseVolume,
  migratorResources,
  platformImage,
  podSecurity,
  tmpVolume,
} from '../pod.ts'

/** A job that creates the missing roles and databases of these services on the server of their cell. */
export function provisionManifests(name: string, services: readonly SignerName[]): Manifest[] {
  const metadata = { name, labels: labelsOf(name, 'provision') }
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata, automountServiceAccountToken: false },
    {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata,
      spec: {
        // The rollout waits for the database before; retries are for short interruptions.
        backoffLimit: 4,
        activeDeadlineSeconds: 600,
        ttlSecondsAfterFinished: 86_400,
        template: {
          metadata: { labels: metadata.labels },
          spec: {
            serviceAccountName: name,
            automountServiceAccountToken: false,
            enableServiceLinks: false,
            restartPolicy: 'Never',
            securityContext: podSecurity,
            containers: [
              {
                name: 'provision',
                image: platformImage,
                command: ['node', 'infra/toolchain/migrations.ts', 'provision', ...services],
                env: provisionerEnvironment(services),
                resources: migratorResources,
                securityContext: containerSecurity,
                volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }, databaseMount],
              },
            ],
            volumes: [tmpVolume, databaseVolume],
          },
        },
      },
    },
    provisionPolicy(metadata),
  ]
}
