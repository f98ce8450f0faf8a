import type { MetricsRegistry } from '@wp/service'

/** `limited`: refused because of a rate limit; `failed`: answered with a status from 500 on. */
export type RequestOutcome = 'answered' | 'limited' | 'failed'

/** Counts the requests of each workspace, and reports the workspaces with the most as `edge_workspace_requests`. */
export interface BusiestWorkspaces {
  /** @param workspaceId null, which is not counted, for a request without a workspace */
  record(workspaceId: string | null, outcome: RequestOutcome): void
  /** Ends the window: reports its counts instead of those of the one before. Called every minute. */
  report(): void
  close(): void
}

type Counts = Record<RequestOutcome, number>

/** Time series cost memory in Prometheus, so only these workspaces have one for each outcome. */
const reportedWorkspaces = 20
/**
 * Workspaces that are counted in a window, about 150 bytes each. The busiest are among the first with near certainty.
 */
const maxWorkspaces = 20_000
const windowMs = 60_000

/** @param metrics receive the counts of each window when it ends */
export function createBusiestWorkspaces(metrics: Pick<MetricsRegistry, 'replaceGauge'>): BusiestWorkspaces {
  let counts = new Map<string, Counts>()

  function report(): void {
    const busiest = [...counts].sort(([, a], [, b]) => sumOf(b) - sumOf(a)).slice(0, reportedWorkspaces)
    counts = new Map()
    const values = busiest.flatMap(([workspace, outcomes]) =>
      Object.entries(outcomes).map(([outcome, value]) => ({ labels: { workspace, outcome }, value })),
    )
    metrics.replaceGauge('edge_workspace_requests', values)
  }

  const timer = setInterval(report, windowMs).unref()
  return {
    record(workspaceId, outcome) {
      if (workspaceId === null) return
      const known = counts.get(workspaceId)
      if (known !== undefined) known[outcome] += 1
      else if (counts.size < maxWorkspaces)
        counts.set(workspaceId, { answered: 0, limited: 0, failed: 0, [outcome]: 1 })
    },
    report,
    close: () => clearInterval(timer),
  }
}

const sumOf = ({ answered, limited, failed }: Counts): number => answered + limited + failed
