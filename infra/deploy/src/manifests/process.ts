import type { SignerName } from '@wp/contracts'
import { declarationOf } from '../processes.ts'
import { labelsOf, type Manifest, ports, selectorOf } from './manifest.ts'
import { networkPolicyOf } from './network-policies.ts'
import { podOf } from './pod.ts'

/** All objects of one process. The autoscaler sets the number of replicas. */
export function manifestsOf(name: SignerName): Manifest[] {
  const metadata = { name, labels: labelsOf(name, name === 'gateway' ? 'edge' : 'service') }
  const selector = { matchLabels: selectorOf(name) }
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata, automountServiceAccountToken: false },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: {
        revisionHistoryLimit: 5,
        selector,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
        template: podOf(name),
      },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      spec: {
        selector: selectorOf(name),
        ports: [{ name: 'http', port: name === 'gateway' ? 80 : ports.http, targetPort: 'http', appProtocol: 'http' }],
      },
    },
    autoscalerOf(name, metadata),
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata,
      // An unready pod must not block the draining of a node.
      spec: { selector, maxUnavailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow' },
    },
    networkPolicyOf(name, metadata),
  ]
}

/** Scales by CPU. Scales down slowly, because load comes in waves. */
function autoscalerOf(name: SignerName, metadata: Manifest['metadata']): Manifest {
  const { scaling, maxReplicas } = declarationOf(name)
  const averageUtilization = scaling.on === 'cpu' ? scaling.percent : 80
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata,
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
      minReplicas: 2,
      maxReplicas,
      metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } } }],
      behavior: {
        scaleDown: { stabilizationWindowSeconds: 300, policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }] },
      },
    },
  }
}
