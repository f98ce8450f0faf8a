import type { Job } from '@wp/jobs'
import type { SeriesProfile } from '../forecast/index.ts'
import {
  decide,
  type FollowUp,
  fingerprintOf,
  followUp,
  type PreviousRecommendation,
  type ProvenRecommendation,
  type Recommendation,
  type RecommendationKind,
  recommend,
  siteFingerprint,
} from '../recommendations/index.ts'
import type { Tx } from '../store/client.ts'
import {
  findPreviousRecommendations,
  insertRecommendation,
  lockRecommendations,
  type NewRecommendation,
  type RecommendationRow,
  refreshRecommendation,
  setFollowUp,
} from '../store/recommendations.ts'
import { keyFieldsOf } from './input/group-settings.ts'
import type { RunParameters } from './input/run-input.ts'

const kinds: readonly RecommendationKind[] = ['consolidation', 'capacity_alert', 'service_level']
/** The longest time for which an ended recommendation affects new ones. */
const rememberedMs = 28 * 86_400_000

/**
 * Follows up accepted recommendations of the groups of a run, then stores the new ones: creates or refreshes each, or
 * leaves it out. Emits RECOMMENDATION_CREATED for those created.
 */
export async function recordRecommendations(
  tx: Tx,
  { id: runId, workspaceId }: Job,
  parameters: RunParameters,
  profiles: readonly (SeriesProfile | null)[],
): Promise<void> {
  const now = new Date()
  const recommended = recommend({ profiles, frequency: parameters.frequency, groupBy: keyFieldsOf(parameters) })
  const groups = new Map<string, SeriesProfile>()
  for (const profile of profiles)
    for (const kind of kinds) if (profile !== null) groups.set(fingerprintOf(kind, parameters, profile.key), profile)
  if (groups.size === 0) return
  await lockRecommendations(tx, workspaceId)
  const since = new Date(now.getTime() - rememberedMs)
  const stored = await findPreviousRecommendations(tx.db, workspaceId, [...groups.keys()], since)
  const previous = await checkAccepted(tx, workspaceId, stored, groups, now)
  for (const recommendation of recommended) {
    const fingerprint = fingerprintOf(recommendation.kind, parameters, recommendation.key)
    const alike = previous.filter((row) => row.fingerprint === fingerprint)
    await storeRecommendation(tx, { workspaceId, runId, fingerprint, previous: alike, now }, recommendation)
  }
}

/** Records that a scenario found floors of a site that can close, as `recordRecommendations` does. */
export async function recordClosures(
  tx: Tx,
  { workspaceId, runId }: { workspaceId: string; runId: string },
  recommendation: ProvenRecommendation,
): Promise<void> {
  const now = new Date()
  const fingerprint = siteFingerprint(recommendation.key.space ?? '')
  await lockRecommendations(tx, workspaceId)
  const since = new Date(now.getTime() - rememberedMs)
  const stored = await findPreviousRecommendations(tx.db, workspaceId, [fingerprint], since)
  // Those that were followed up are not among them.
  const previous = stored.map((row) => ({ ...row, isFollowUpPending: true }))
  await storeRecommendation(tx, { workspaceId, runId, fingerprint, previous, now }, recommendation)
}

interface Recording {
  workspaceId: string
  runId: string
  fingerprint: string
  /** Those with the fingerprint. */
  previous: readonly PreviousRecommendation[]
  now: Date
}

async function storeRecommendation(
  tx: Tx,
  { workspaceId, runId, fingerprint, previous, now }: Recording,
  recommendation: Recommendation | ProvenRecommendation,
): Promise<void> {
  const decision = decide(previous, recommendation, now)
  const row = toRow(recommendation, fingerprint)
  if (decision.action === 'refresh') await refreshRecommendation(tx.db, workspaceId, decision.id, runId, row)
  if (decision.action !== 'create') return
  const { id, kind, title, scenarioId } = await insertRecommendation(tx.db, workspaceId, runId, row)
  const proof = { saving: 'saving' in recommendation ? recommendation.saving : null, scenario_id: scenarioId }
  tx.emit({
    kind: 'RECOMMENDATION_CREATED',
    data: { id, status: 'open', forecast_run_id: runId, kind, title, ...proof },
  })
}

/** Writes the follow-up of each accepted recommendation whose window the values of the run cover. */
async function checkAccepted(
  tx: Tx,
  workspaceId: string,
  stored: readonly RecommendationRow[],
  groups: ReadonlyMap<string, SeriesProfile>,
  now: Date,
) {
  const checked = new Set<string>()
  for (const row of stored) {
    const profile = groups.get(row.fingerprint ?? '')
    if (row.status !== 'accepted' || row.window === null || profile === undefined) continue
    // Written by toRow from a recommendation, which has these types.
    const accepted = row as unknown as Pick<Recommendation, 'kind' | 'figures' | 'window'>
    const result: FollowUp | null = followUp(accepted, profile, now)
    if (result === null) continue
    await setFollowUp(tx.db, workspaceId, row.id, { ...result })
    checked.add(row.id)
  }
  return stored.map((row) => ({ ...row, isFollowUpPending: !checked.has(row.id) }))
}

const toRow = (recommendation: Recommendation, fingerprint: string): NewRecommendation => {
  const { window, expectedEffect, ...rest } = recommendation
  return { ...rest, fingerprint, window: { ...window }, expectedEffect: { ...expectedEffect } }
}
