/** An object of Kubernetes. */
export interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string>; namespace?: string }
  [field: string]: unknown
}

/** Where every process listens in its container, and the edge's admin side. */
export const ports = { http: 8080, admin: 9090, nats: 4222, postgres: 5432 }

const partOf = 'workspace-platform'

/** What selects the pods of one name: it never changes, for Deployments cannot change it. */
export const selectorOf = (name: string): Record<string, string> => ({ 'app.kubernetes.io/name': name })

export const labelsOf = (name: string, component: string): Record<string, string> => ({
  ...selectorOf(name),
  'app.kubernetes.io/part-of': partOf,
  'app.kubernetes.io/component': component,
})
