/** A Kubernetes object. */
export interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string>; namespace?: string }
  [field: string]: unknown
}

/** The ports in the containers: of every process, of the gateway's admin listener, and of the servers. */
export const ports = { http: 8080, admin: 9090, nats: 4222, postgres: 5432 }

const partOf = 'workspace-platform'

/** The selector of a name's pods. It must not change, because the selector of a Deployment is immutable. */
export const selectorOf = (name: string): Record<string, string> => ({ 'app.kubernetes.io/name': name })

export const labelsOf = (name: string, component: string): Record<string, string> => ({
  ...selectorOf(name),
  'app.kubernetes.io/part-of': partOf,
  'app.kubernetes.io/component': component,
})
