import { containersOf, type Workload } from './workloads.ts'

/** Returns missing or wrong resources, probes, volumes and replacement settings of a workload. */
export const availabilityProblems = (workload: Workload): string[] =>
  [
    ...resourceProblems(workload),
    ...probeProblems(workload),
    ...volumeProblems(workload),
    ...replacementProblems(workload),
  ].map((problem) => `${workload.title}: ${problem}`)

function resourceProblems({ spec }: Workload): string[] {
  return containersOf(spec).flatMap(({ name, resources }) =>
    ['cpu', 'memory'].flatMap((resource) => {
      const [asked, most] = [resources?.requests?.[resource], resources?.limits?.[resource]]
      if (asked === undefined || most === undefined) return [`${name} lacks a request or a limit of ${resource}`]
      return parseQuantity(asked) > parseQuantity(most) ? [`${name} asks for more ${resource} than its limit`] : []
    }),
  )
}

const units: Record<string, number> = { '': 1, m: 1e-3, k: 1e3, M: 1e6, G: 1e9, Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30 }

/** Parses a Kubernetes quantity. Returns NaN if it is invalid. */
export function parseQuantity(value: string | number): number {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)([A-Za-z]*)$/.exec(String(value)) ?? []
  return Number(number) * (units[unit] ?? Number.NaN)
}

function probeProblems({ spec, isLongRunning: isLasting }: Workload): string[] {
  if (!isLasting) return []
  return spec.containers.flatMap(({ name, ports = [], ...container }) =>
    (['startupProbe', 'readinessProbe', 'livenessProbe'] as const).flatMap((kind) => {
      const probe = container[kind]
      if (probe === undefined) return [`${name} has no ${kind}`]
      const port = probe.httpGet?.port
      const isThere = port === undefined || ports.some((own) => own.name === port || own.containerPort === port)
      return isThere ? [] : [`the ${kind} of ${name} uses the port ${port}, which does not exist`]
    }),
  )
}

function volumeProblems({ manifest, spec }: Workload): string[] {
  const { volumeClaimTemplates = [] } = manifest.spec as { volumeClaimTemplates?: { metadata: { name: string } }[] } // of StatefulSets alone
  const names = [...(spec.volumes ?? []), ...volumeClaimTemplates.map(({ metadata }) => metadata)].map(
    ({ name }) => name,
  )
  const mounted = containersOf(spec).flatMap(({ name, volumeMounts = [] }) =>
    volumeMounts.map((mount) => ({ container: name, volume: mount.name })),
  )
  return [
    ...mounted
      .filter(({ volume }) => !names.includes(volume))
      .map(({ container, volume }) => `${container} mounts the volume ${volume}, which does not exist`),
    ...names
      .filter((name) => !mounted.some(({ volume }) => volume === name))
      .map((name) => `no container mounts the volume ${name}`),
  ]
}

/** A Deployment must replace replicas without an interruption and without losing requests. */
function replacementProblems({ manifest, spec }: Workload): string[] {
  if (manifest.kind !== 'Deployment') return []
  const { strategy } = manifest.spec as {
    strategy?: { rollingUpdate?: { maxUnavailable?: unknown; maxSurge?: unknown } }
  } // its schema says so
  const { maxUnavailable, maxSurge } = strategy?.rollingUpdate ?? {}
  const own = spec.containers[0]
  const seconds = (name: string) => Number(own?.env?.find((variable) => variable.name === name)?.value ?? Number.NaN)
  const preStop = own?.lifecycle?.preStop?.sleep?.seconds ?? 0
  const [drain, grace] = [seconds('DRAIN_SECONDS'), seconds('SHUTDOWN_GRACE_SECONDS')]
  const problems: [boolean, string][] = [
    [maxUnavailable === 0 && maxSurge === 1, 'stops a replica before its replacement is ready'],
    [preStop >= 5, 'stops before load balancers have removed it'],
    [drain >= 5 && grace > drain, 'does not drain'],
    [(spec.terminationGracePeriodSeconds ?? 30) > preStop + grace, 'is killed before its shutdown has finished'],
  ]
  return problems.filter(([holds]) => !holds).map(([, problem]) => problem)
}
