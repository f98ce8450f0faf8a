import { isGlobal, type SignerName, signerNames } from '@wp/contracts'
import { stringify } from 'yaml'
import type { Manifest } from './manifests/manifest.ts'
import { brokerManifests } from './manifests/nats.ts'
import {
  crossNamespacePolicy,
  databasePolicies,
  defaultDeny,
  edgeMetricsPolicy,
  externalDatabasePolicies,
  metricsPolicies,
} from './manifests/network-policies.ts'
import { manifestsOf } from './manifests/process.ts'
import { provisionManifests } from './manifests/provision.ts'
import { renderUsersConfig } from './nats/users.ts'
import { brokerUsers, calleesOf, callersOf } from './network-access.ts'
import { declarationOf } from './processes.ts'

const notice = '# Written by `pnpm k8s` from infra/deploy/src/processes.ts; do not edit.\n'

/** Processes that serve all shards, from the home cell; and those that are in every cell. */
export const homeProcesses = signerNames.filter(isGlobal)
export const cellProcesses = signerNames.filter((name) => !isGlobal(name))

/** Every file below `k8s/` that follows from the list of services, by its path there. */
export function generateFiles(): ReadonlyMap<string, string> {
  return new Map([
    ...processFiles('base/cell/services', cellProcesses),
    ...processFiles('base/home/services', homeProcesses),
    ['base/cell/network.yaml', documents([defaultDeny, ...metricsPolicies()])],
    ['base/home/network.yaml', documents([edgeMetricsPolicy()])],
    ['base/cell/nats.yaml', documents(brokerManifests())],
    ['base/cell/nats/users.conf', renderUsersConfig('SHARD')],
    ['base/cell/provision.yaml', documents(provisionManifests('provision-cell', withDatabase(cellProcesses)))],
    ['base/home/provision.yaml', documents(provisionManifests('provision-home', withDatabase(homeProcesses)))],
    ['components/postgres-policy/policy.yaml', documents(databasePolicies())],
    ['components/postgres-external/policy.yaml', documents(externalDatabasePolicies())],
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

/** Namespaces of the other cells carry the first label, the home's the second. */
const cells = { 'workspace-platform/cell': 'beside' }
const home = { 'workspace-platform/cell': 'home' }

/** What the home cell needs besides, when there are others: its global processes reach theirs, and are reached. */
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

/** What a cell beside the home needs: to be reached by what serves all shards, and to reach it. */
function cellPolicies(): Manifest[] {
  const services = cellProcesses.map((name) => {
    const from = name === 'gateway' ? [] : callersOf(name).filter(isGlobal)
    return crossNamespacePolicy({ name: `${name}-home` }, name, home, { to: calleesOf(name).filter(isGlobal), from })
  })
  const broker = crossNamespacePolicy({ name: 'nats-home' }, 'nats', home, { from: brokerUsers.filter(isGlobal) })
  return [...services, broker].filter(hasRules)
}

const hasRules = ({ spec }: Manifest) => Object.keys(Object(spec)).some((key) => key === 'ingress' || key === 'egress')

const documents = (manifests: readonly Manifest[]): string =>
  `${notice}${manifests.map((manifest) => stringify(manifest, { aliasDuplicateObjects: false, lineWidth: 0 })).join('---\n')}`
