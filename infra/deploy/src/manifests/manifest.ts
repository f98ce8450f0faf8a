/** A Kubernetes object. */
export interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string>; namespace?: string }
  [field: string]: unknown
}

/**
 * The ports in the containers: of every process, of the gateway's admin listener, of the servers, and of a collector of
 * traces.
 */
export const ports = { http: 8080, admin: 9090, nats: 4222, postgres: 5432, opensearch: 9200, otlp: 4318 }

const partOf = 'workspace-platform'

/** The selector of a name's pods. It must not change, because the selector of a Deployment is immutable. */
export const selectorOf = (name: string): Record<string, string> => ({ 'app.kubernetes.io/name': name })

export const labelsOf = (name: string, component: string): Record<string, string> => ({
  ...selectorOf(name),
  'app.kubernetes.io/part-of': partOf,
  'app.kubernetes.io/component': component,
})

/** Formats a whole number as Kubernetes stores it, for example 5,000 as `5k`; other forms never compare as equal. */
export function formatQuantity(value: number): string {
  const suffixes = ['', 'k', 'M', 'G']
  let rest = value
  let index = 0
  for (; rest > 0 && rest % 1000 === 0 && index < suffixes.length - 1; index += 1) rest /= 1000
  return `${rest}${suffixes[index]}`
}

/** Classes of pods, from those that are evicted last; see priority-classes.ts. */
export const priorityClasses = {
  storage: 'workspace-platform-storage',
  edge: 'workspace-platform-edge',
  service: 'workspace-platform-service',
}
