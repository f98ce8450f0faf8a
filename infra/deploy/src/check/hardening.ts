import type { Manifest } from '../manifests/manifest.ts'
import { containersOf, type Workload } from './workloads.ts'

/** What of a pod would let a program that was taken over do more than it must. */
export function hardeningProblems({ title, spec }: Workload): string[] {
  const pod = spec.securityContext
  const problems: [boolean, string][] = [
    [pod?.runAsNonRoot === true && (pod.runAsUser ?? 0) > 0, 'may run as root'],
    [pod?.seccompProfile?.type === 'RuntimeDefault', 'has no seccomp profile'],
    [spec.automountServiceAccountToken === false, "has a token of the cluster's interface"],
    [!spec.hostNetwork && !spec.hostPID && !spec.hostIPC, "is in the node's own namespaces"],
    [(spec.volumes ?? []).every(({ hostPath }) => hostPath === undefined), "sees the node's files"],
  ]
  const ofContainers = containersOf(spec).flatMap((container): [boolean, string][] => {
    const own = container.securityContext
    return [
      [own?.runAsUser !== 0 && own?.runAsNonRoot !== false, `${container.name} may run as root`],
      [own?.allowPrivilegeEscalation === false, `${container.name} may gain privileges`],
      [own?.privileged !== true, `${container.name} is privileged`],
      [own?.readOnlyRootFilesystem === true, `${container.name} may write to its image`],
      [
        own?.capabilities?.drop?.includes('ALL') === true && own.capabilities.add === undefined,
        `${container.name} keeps capabilities`,
      ],
      [isPinned(container.image ?? ''), `${container.name} has the image "${container.image}", which may be any`],
    ]
  })
  return [...problems, ...ofContainers].filter(([holds]) => !holds).map(([, problem]) => `${title}: ${problem}`)
}

/** Images of pods that an operator makes. */
export const operatorImageProblems = ({ kind, metadata, spec }: Manifest): string[] => {
  if (kind !== 'Cluster') return []
  const { imageName = '' } = spec as { imageName?: string } // its schema says so
  return isPinned(imageName) ? [] : [`${kind} ${metadata.name}: has the image "${imageName}", which may be any`]
}

/** By digest, or by a tag that is not whatever came last. */
function isPinned(image: string): boolean {
  if (/@sha256:[0-9a-f]{64}$/.test(image)) return true
  const tag = /:([A-Za-z0-9_][A-Za-z0-9_.-]*)$/.exec(image)?.[1]
  return tag !== undefined && tag !== 'latest'
}
