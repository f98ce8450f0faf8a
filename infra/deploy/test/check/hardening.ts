import type { Manifest } from './manifest.ts'
import { containersOf, type Workload } from './workloads.ts'

/** Returns settings of a pod that give a compromised program more access than it needs. */
export function hardeningProblems({ title, spec }: Workload): string[] {
  const pod = spec.securityContext
  const problems: [boolean, string][] = [
    [pod?.runAsNonRoot === true && (pod.runAsUser ?? 0) > 0, 'may run as root'],
    [pod?.seccompProfile?.type === 'RuntimeDefault', 'has no seccomp profile'],
    [spec.automountServiceAccountToken === false, 'mounts a service account token'],
    [!spec.hostNetwork && !spec.hostPID && !spec.hostIPC, 'uses host namespaces'],
    [(spec.volumes ?? []).every(({ hostPath }) => hostPath === undefined), 'mounts files of the node'],
  ]
  const ofContainers = containersOf(spec).flatMap((container): [boolean, string][] => {
    const own = container.securityContext
    return [
      [own?.runAsUser !== 0 && own?.runAsNonRoot !== false, `${container.name} may run as root`],
      [own?.allowPrivilegeEscalation === false, `${container.name} may gain privileges`],
      [own?.privileged !== true, `${container.name} is privileged`],
      [own?.readOnlyRootFilesystem === true, `${container.name} has a writable root filesystem`],
      [
        own?.capabilities?.drop?.includes('ALL') === true && own.capabilities.add === undefined,
        `${container.name} keeps capabilities`,
      ],
      [
        isPinned(container.image ?? ''),
        `${container.name} has the image "${container.image}", whose version is not pinned`,
      ],
    ]
  })
  return [...problems, ...ofContainers].filter(([holds]) => !holds).map(([, problem]) => `${title}: ${problem}`)
}

/** Checks the images of pods that an operator creates. */
export const operatorImageProblems = ({ kind, metadata, spec }: Manifest): string[] => {
  if (kind !== 'Cluster') return []
  const { imageName = '' } = spec as { imageName?: string } // its schema says so
  return isPinned(imageName)
    ? []
    : [`${kind} ${metadata.name}: has the image "${imageName}", whose version is not pinned`]
}

/** Returns true if the image has a digest, or a tag other than `latest`. */
function isPinned(image: string): boolean {
  if (/@sha256:[0-9a-f]{64}$/.test(image)) return true
  const tag = /:([A-Za-z0-9_][A-Za-z0-9_.-]*)$/.exec(image)?.[1]
  return tag !== undefined && tag !== 'latest'
}
