import { type Manifest, priorityClasses } from './manifest.ts'

/**
 * Decides which pods stay when nodes are short of resources: the broker and the database, then the gateway, then the
 * services. Jobs have no class, so they are evicted first. The classes are cluster-wide; a cell that is not a home cell
 * uses those of its home.
 */
export const priorityClassManifests = (): Manifest[] => [
  createClass(priorityClasses.storage, 1_000_000),
  createClass(priorityClasses.edge, 900_000),
  createClass(priorityClasses.service, 800_000),
]

const createClass = (name: string, value: number): Manifest => ({
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  metadata: { name },
  value,
})
