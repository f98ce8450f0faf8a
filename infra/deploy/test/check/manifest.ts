/** A Kubernetes object. */
export interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string>; namespace?: string }
  [field: string]: unknown
}
