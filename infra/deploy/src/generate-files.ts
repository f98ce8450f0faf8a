import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isGlobal, type SignerName, signerNames } from '@wp/contracts'
import { parse, stringify } from 'yaml'
import { auditRetentionManifests } from './manifests/audit-retention.ts'
import { backupManifests } from './manifests/database/backup.ts'
import { databaseCluster } from './manifests/database/database-cluster.ts'
import { databasePolicies, externalDatabasePolicies } from './manifests/database/database-policies.ts'
import { provisionManifests } from './manifests/database/provision.ts'
import { externalSecret, processSecrets } from './manifests/external-secrets.ts'
import type { Manifest } from './manifests/manifest.ts'
import { monitoringManifests } from './manifests/monitoring.ts'
import { brokerManifests } from './manifests/nats.ts'
import {
  crossNamespacePolicy,
  defaultDeny,
  edgeMetricsPolicy,
  metricsPolicies,
  tracesPolicy,
} from './manifests/network-policies.ts'
import { prepareBrokerManifests } from './manifests/prepare-broker.ts'
import { priorityClassManifests } from './manifests/priority-classes.ts'
import { manifestsOf } from './manifests/process.ts'
import { scaleByQueueComponent } from './manifests/scale-by-queue.ts'
import { searchEngineComponent, searchEngineManifests } from './manifests/search-engine.ts'
import { renderUsersConfig } from './nats/users.ts'
import { brokerUsers, calleesOf, callersOf } from './network-access.ts'
import { declarationOf } from './processes.ts'

const notice = '# Written by `npm run k8s` from infra/deploy/src/processes.ts; do not edit.\n'

/** The global processes, which run in the home cell, and the processes that run in every cell. */
export const homeProcesses = signerNames.filter(isGlobal)
export const cellProcesses = signerNames.filter((name) => !isGlobal(name))

/** Returns the generated files of `k8s/`, by path. */
export function generateFiles(): ReadonlyMap<string, string> {
  return new Map([
    ...processFiles('base/cell/services', cellProcesses),
    ...processFiles('base/home/services', homeProcesses),
    ['base/cell/network.yaml', documents([defaultDeny, ...metricsPolicies(), tracesPolicy()])],
    ['base/home/network.yaml', documents([edgeMetricsPolicy()])],
    ['base/cell/nats.yaml', documents(brokerManifests())],
    ['base/cell/prepare-broker.yaml', documents(prepareBrokerManifests(signerNames))],
    ['base/cell/nats/users.conf', renderUsersConfig('SHARD')],
    ['base/cell/audit-retention.yaml', documents(auditRetentionManifests())],
    ['base/cell/provision.yaml', documents(provisionManifests('provision-cell', withDatabase(cellProcesses)))],
    ['base/home/provision.yaml', documents(provisionManifests('provision-home', withDatabase(homeProcesses)))],
    ['base/home/backup.yaml', documents(backupManifests(withDatabase(signerNames)))],
    ['components/cell-beside/backup.yaml', documents(backupManifests(withDatabase(cellProcesses)))],
    ['components/postgres-policy/policy.yaml', documents(databasePolicies())],
    ['components/postgres-external/policy.yaml', documents(externalDatabasePolicies())],
    ['components/postgres-operator/cluster.yaml', documents([databaseCluster])],
    ['base/home/priority-classes.yaml', documents(priorityClassManifests())],
    ['components/scale-by-queue/kustomization.yaml', documents([scaleByQueueComponent(cellProcesses)])],
    ['components/opensearch/opensearch.yaml', documents(searchEngineManifests())],
    ['components/opensearch/kustomization.yaml', documents([searchEngineComponent])],
    ['components/monitoring/monitoring.yaml', documents(monitoringManifests(readAlerts()))],
    [
      'components/external-secrets/cell.yaml',
      documents([...processSecrets(cellProcesses), externalSecret('nats-users')]),
    ],
    ['components/external-secrets-home/home.yaml', documents(processSecrets(homeProcesses))],
    ['components/cells/network.yaml', documents(homePolicies())],
    ['components/cell-beside/network.yaml', documents(cellPolicies())],
  ])
}

const withDatabase = (names: readonly SignerName[]) => names.filter((name) => declarationOf(name).hasDatabase)

function processFiles(folder: string, names: readonly SignerName[]): [string, string][] {
  const kustomization = {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    resources: names.map((name) => `${name}.yaml`),
  }
  return [
    [`${folder}/kustomization.yaml`, `${notice}${stringify(kustomization)}`],
    ...names.map((name): [string, string] => [`${folder}/${name}.yaml`, documents(manifestsOf(name))]),
  ]
}

/** The labels of the namespaces of the other cells and of the home cell. */
const cells = { 'workspace-platform/cell': 'beside' }
const home = { 'workspace-platform/cell': 'home' }

/** Additional policies of the home cell if there are other cells: connections of its global processes with theirs. */
function homePolicies(): Manifest[] {
  return homeProcesses
    .map((name) => {
      const to = [
        ...calleesOf(name).filter((service) => !isGlobal(service)),
        ...(declarationOf(name).usesBroker ? ['nats'] : []),
      ]
      const from = name === 'gateway' ? [] : callersOf(name).filter((caller) => !isGlobal(caller))
      return crossNamespacePolicy({ name: `${name}-cells` }, name, cells, { to, from })
    })
    .filter(hasRules)
}

/** Additional policies of every other cell: connections of its processes with the global processes. */
function cellPolicies(): Manifest[] {
  const services = cellProcesses.map((name) => {
    const from = name === 'gateway' ? [] : callersOf(name).filter(isGlobal)
    return crossNamespacePolicy({ name: `${name}-home` }, name, home, { to: calleesOf(name).filter(isGlobal), from })
  })
  const broker = crossNamespacePolicy({ name: 'nats-home' }, 'nats', home, { from: brokerUsers.filter(isGlobal) })
  return [...services, broker].filter(hasRules)
}

const hasRules = ({ spec }: Manifest) => Object.keys(Object(spec)).some((key) => key === 'ingress' || key === 'egress')

const alertsFile = join(import.meta.dirname, '../../observability/alerts.yml')

/** Reads the alerts that docker-compose's Prometheus has, too. */
const readAlerts = (): { groups: unknown[] } => parse(readFileSync(alertsFile, 'utf8'))

const documents = (manifests: readonly (Manifest | Record<string, unknown>)[]): string =>
  `${notice}${manifests.map((manifest) => stringify(manifest, { aliasDuplicateObjects: false, lineWidth: 0 })).join('---\n')}`
