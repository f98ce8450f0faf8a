import { maxConnections } from '../../database-connections.ts'
import { type Manifest, priorityClasses } from '../manifest.ts'

const name = 'postgres'

/** PostgreSQL by CloudNativePG: a primary and two replicas, each in another zone. */
export const databaseCluster: Manifest = {
  apiVersion: 'postgresql.cnpg.io/v1',
  kind: 'Cluster',
  metadata: { name },
  spec: {
    instances: 3,
    imageName:
      'ghcr.io/cloudnative-pg/postgresql:18.3-202602261638-system-bookworm@sha256:3021655901ead1b8c64b52d812113badfd54ec5578bbbcefc1b7cb893091e646',
    // The provisioning job creates roles and databases.
    enableSuperuserAccess: true,
    inheritedMetadata: { labels: { 'workspace-platform/role': 'database' } },
    priorityClassName: priorityClasses.storage,
    postgresql: {
      // A commit is acknowledged when it is on two servers, and by one server if no other is available.
      synchronous: { method: 'any', number: 1, dataDurability: 'preferred' },
      parameters: { max_connections: String(maxConnections), shared_buffers: '1GB' },
    },
    storage: { size: '50Gi' },
    walStorage: { size: '10Gi' },
    resources: { requests: { cpu: '1', memory: '4Gi' }, limits: { cpu: '4', memory: '4Gi' } },
    affinity: { enablePodAntiAffinity: true, topologyKey: 'kubernetes.io/hostname', podAntiAffinityType: 'required' },
    // Required and not only preferred: a volume stays in the zone in which its pod was first placed.
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: 'topology.kubernetes.io/zone',
        whenUnsatisfiable: 'DoNotSchedule',
        labelSelector: { matchLabels: { 'cnpg.io/cluster': name, 'cnpg.io/podRole': 'instance' } },
      },
    ],
  },
}
