import type { SignerName } from '@wp/contracts'
import { stringify } from 'yaml'
import { declarationOf } from '../processes.ts'
import { formatQuantity } from './manifest.ts'

/**
 * Returns a kustomize component that lets the services with a queue scale by its length, too. It is not part of the
 * base: an autoscaler whose external metric is missing never scales down, so it needs an adapter that provides the
 * metric.
 */
export const scaleByQueueComponent = (names: readonly SignerName[]): Record<string, unknown> => ({
  apiVersion: 'kustomize.config.k8s.io/v1alpha1',
  kind: 'Component',
  patches: names.flatMap((name) => {
    const { scaling } = declarationOf(name)
    if (scaling.on !== 'queue') return []
    const { metric, labels, targetPerReplica } = scaling
    const value = {
      type: 'External',
      external: {
        metric: { name: metric, ...(labels === undefined ? {} : { selector: { matchLabels: { ...labels } } }) },
        target: { type: 'AverageValue', averageValue: formatQuantity(targetPerReplica) },
      },
    }
    return {
      target: { kind: 'HorizontalPodAutoscaler', name },
      patch: stringify([{ op: 'add', path: '/spec/metrics/-', value }]),
    }
  }),
})
