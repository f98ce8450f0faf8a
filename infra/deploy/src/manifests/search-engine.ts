import { labelsOf, type Manifest, ports, priorityClasses, selectorOf } from './manifest.ts'
import { createPolicy, dnsEgress, podPeers, tcpPorts } from './network-policies.ts'
import { containerSecurity } from './pod.ts'

const name = 'opensearch'
/** Pinned here, because the component is optional: the images of a release are those of every environment. */
const image = 'opensearchproject/opensearch:2.19.1'
const metadata = { name, labels: labelsOf(name, 'search-engine') }
/** The user id in the image. */
const user = 1000
const nodes = 3
const transportPort = 9300

/** The second search engine of a cell: a cluster of three nodes, each with a volume. */
export const searchEngineManifests = (): Manifest[] => [
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata, automountServiceAccountToken: false },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata,
    spec: {
      clusterIP: 'None',
      // The nodes find each other before they are ready.
      publishNotReadyAddresses: true,
      selector: selectorOf(name),
      ports: [
        { name: 'http', port: ports.opensearch, targetPort: 'http' },
        { name: 'transport', port: transportPort, targetPort: 'transport' },
      ],
    },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata,
    spec: {
      serviceName: name,
      replicas: nodes,
      podManagementPolicy: 'Parallel',
      selector: { matchLabels: selectorOf(name) },
      template: { metadata: { labels: metadata.labels }, spec: nodePod },
      volumeClaimTemplates: [
        {
          metadata: { name: 'data' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '50Gi' } } },
        },
      ],
    },
  },
  {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata,
    spec: {
      selector: { matchLabels: selectorOf(name) },
      maxUnavailable: 1,
      unhealthyPodEvictionPolicy: 'AlwaysAllow',
    },
  },
  createPolicy(
    { name },
    { matchLabels: selectorOf(name) },
    {
      ingress: [
        { from: podPeers('data'), ports: tcpPorts(ports.opensearch) },
        { from: podPeers(name), ports: tcpPorts(transportPort) },
      ],
      egress: [dnsEgress, { to: podPeers(name), ports: tcpPorts(transportPort) }],
    },
  ),
  createPolicy(
    { name: 'data-opensearch' },
    { matchLabels: selectorOf('data') },
    { egress: [{ to: podPeers(name), ports: tcpPorts(ports.opensearch) }] },
  ),
]

const podNames = Array.from({ length: nodes }, (_, nth) => `${name}-${nth}`)

/** The addresses of all nodes: a search goes to another one at once when a node is away. */
export const searchEngineUrl = podNames.map((pod) => `http://${pod}.${name}:${ports.opensearch}`).join(',')

const environment = {
  'cluster.name': 'workspace-platform',
  'node.roles': 'cluster_manager,data,ingest',
  'network.host': '0.0.0.0',
  'discovery.seed_hosts': name,
  'cluster.initial_cluster_manager_nodes': podNames.join(','),
  // The policies admit the data service only. A cluster of others has its users and certificates in OPENSEARCH_URL.
  DISABLE_SECURITY_PLUGIN: 'true',
  DISABLE_INSTALL_DEMO_CONFIG: 'true',
  DISABLE_PERFORMANCE_ANALYZER_AGENT_CLI: 'true',
  // Without it, the node needs a setting of the kernel (vm.max_map_count) that pods cannot change.
  'node.store.allow_mmap': 'false',
  'action.auto_create_index': 'false',
  OPENSEARCH_JAVA_OPTS: '-Xms1g -Xmx1g',
}

const configFolder = '/usr/share/opensearch/config'

const nodePod = {
  serviceAccountName: name,
  automountServiceAccountToken: false,
  enableServiceLinks: false,
  priorityClassName: priorityClasses.storage,
  terminationGracePeriodSeconds: 120,
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
    labelSelector: { matchLabels: selectorOf(name) },
  })),
  initContainers: [
    {
      // The node writes a keystore beside its configuration, and the file system of the image is read-only.
      name: 'configure',
      image,
      command: ['cp', '-r', `${configFolder}/.`, '/config'],
      resources: { requests: { cpu: '10m', memory: '16Mi' }, limits: { cpu: '100m', memory: '32Mi' } },
      securityContext: containerSecurity,
      volumeMounts: [{ name: 'config', mountPath: '/config' }],
    },
  ],
  containers: [
    {
      name,
      image,
      ports: [
        { name: 'http', containerPort: ports.opensearch },
        { name: 'transport', containerPort: transportPort },
      ],
      env: [
        { name: 'node.name', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
        ...Object.entries(environment).map(([key, value]) => ({ name: key, value })),
      ],
      resources: { requests: { cpu: '500m', memory: '2Gi' }, limits: { cpu: '2', memory: '2Gi' } },
      startupProbe: { tcpSocket: { port: 'http' }, periodSeconds: 5, failureThreshold: 60 },
      readinessProbe: {
        httpGet: { path: '/_cluster/health?local=true', port: 'http' },
        periodSeconds: 5,
        timeoutSeconds: 5,
        failureThreshold: 3,
      },
      livenessProbe: { tcpSocket: { port: 'transport' }, periodSeconds: 30, failureThreshold: 3 },
      securityContext: containerSecurity,
      volumeMounts: [
        { name: 'data', mountPath: '/usr/share/opensearch/data' },
        { name: 'config', mountPath: configFolder },
        { name: 'logs', mountPath: '/usr/share/opensearch/logs' },
        { name: 'tmp', mountPath: '/tmp' },
      ],
    },
  ],
  volumes: [
    { name: 'config', emptyDir: { sizeLimit: '16Mi' } },
    { name: 'logs', emptyDir: { sizeLimit: '1Gi' } },
    { name: 'tmp', emptyDir: { sizeLimit: '1Gi' } },
  ],
}

/** Adds the cluster, and tells the data service of it. */
export const searchEngineComponent = {
  apiVersion: 'kustomize.config.k8s.io/v1alpha1',
  kind: 'Component',
  resources: ['opensearch.yaml'],
  patches: [
    {
      target: { kind: 'Deployment', name: 'data' },
      patch: [
        'apiVersion: apps/v1',
        'kind: Deployment',
        'metadata: { name: data }',
        'spec:',
        '  template:',
        '    spec:',
        '      containers:',
        '        - name: data',
        '          env:',
        '            - { name: SEARCH_ENGINE, value: opensearch }',
        `            - { name: OPENSEARCH_URL, value: "${searchEngineUrl}" }`,
        '',
      ].join('\n'),
    },
  ],
}
