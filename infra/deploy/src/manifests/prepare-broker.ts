import type { SignerName } from '@wp/contracts'
import { consumersOf } from '../nats/permissions.ts'
import { labelsOf, type Manifest, ports } from './manifest.ts'
import { createPolicy, dnsEgress, podPeers, tcpPorts } from './network-policies.ts'
import { brokerMigratorOf, podSecurity, tmpVolume } from './pod.ts'

const name = 'prepare-broker'
const metadata = { name, labels: labelsOf(name, 'broker') }

/**
 * A CronJob that creates a missing stream and missing consumers, with the containers that prepare the broker for a new
 * replica. Services may not create them, so without it a broker that lost its storage would stay empty until the next
 * rollout.
 */
export const prepareBrokerManifests = (services: readonly SignerName[]): Manifest[] => [
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata, automountServiceAccountToken: false },
  {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata,
    spec: {
      schedule: '*/2 * * * *',
      concurrencyPolicy: 'Forbid',
      startingDeadlineSeconds: 60,
      successfulJobsHistoryLimit: 1,
      failedJobsHistoryLimit: 1,
      jobTemplate: {
        spec: {
          // The next run is the retry.
          backoffLimit: 0,
          activeDeadlineSeconds: 100,
          template: { metadata: { labels: metadata.labels }, spec: podSpec(services) },
        },
      },
    },
  },
  createPolicy(
    metadata,
    { matchLabels: { 'app.kubernetes.io/name': name } },
    { ingress: [], egress: [dnsEgress, { to: podPeers('nats'), ports: tcpPorts(ports.nats) }] },
  ),
]

const podSpec = (services: readonly SignerName[]) => ({
  serviceAccountName: name,
  automountServiceAccountToken: false,
  enableServiceLinks: false,
  restartPolicy: 'Never',
  securityContext: podSecurity,
  containers: services
    .filter((service) => consumersOf(service, 'SHARD').size > 0)
    .map((service) => ({ ...brokerMigratorOf(service), name: service })),
  volumes: [tmpVolume],
})
