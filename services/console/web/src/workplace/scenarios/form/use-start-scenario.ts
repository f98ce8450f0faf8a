import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ApiError, type Client } from '@wp/client/browser'
import { useState } from 'react'
import { isNotFound, TaskError } from '../../../api/describe-error.ts'
import { useApiQuery, useWorkspace } from '../../../session/workspace-context.tsx'
import { readRuns } from '../../../solutions/forecasts/read-runs.ts'
import { bothMeasures, type Measure, measuresOf } from '../../../solutions/forecasts/run-input.ts'
import { parseNumber } from '../../../ui/format/number-signs.ts'
import { suggestName } from '../scenario-words.ts'
import type { ForecastRun, Workplace } from '../workplace.ts'
import { changesOf, horizonFor, horizons, openDays, type ScenarioDraft } from './scenario-draft.ts'

const pollMs = 1_000
/** Runs of which a building is looked for in the figures. */
const maxCandidates = 8

/**
 * Reads the forecast on which a scenario of a site or building is based: the chosen one if it can be, or else the
 * newest that is finished. Without teams, the one with the most floors: those with counters alone are in none of
 * different people, which comes first where both have as many.
 * @returns its id, or null if there is none yet
 */
export const useBaseForecast = (workplace: Workplace, { spaceId, forecastId }: ScenarioDraft) => {
  const isBase = baseOf(workplace, spaceId)
  const subject = isPlannedByFloor(workplace, spaceId) ? spaceId : 'teams'
  return useApiQuery(['scenarios', 'forecast', subject, forecastId], async (api, options) => {
    if (forecastId !== null && (await countFloors(api, workplace, spaceId, forecastId)) > 0) return forecastId
    let found = 0
    const isLast = (run: ForecastRun) => isBase(run) && ++found === maxCandidates
    const { runs } = await readRuns(api, { status: 'finished' }, options, isLast)
    const bases = runs.filter(isBase)
    const ordered = [...bases.filter((run) => !isOfPeaks(run)), ...bases.filter(isOfPeaks)]
    let best: { id: string | null; floors: number } = { id: null, floors: 0 }
    for (const { id } of ordered) {
      const floors = await countFloors(api, workplace, spaceId, id)
      if (floors > best.floors) best = { id, floors }
      if (best.id !== null && !isPlannedByFloor(workplace, spaceId)) break
    }
    return best.id
  })
}

/** Returns how many floors a finished run of the kind that a scenario needs has: 1 of teams; 0 if it cannot be used. */
async function countFloors(api: Client, workplace: Workplace, spaceId: string | null, id: string): Promise<number> {
  const run = await api.solutions
    .getForecastRun({ params: { id } })
    .catch((error: unknown) => (isNotFound(error) ? undefined : Promise.reject(error)))
  if (run?.status !== 'finished' || !baseOf(workplace, spaceId)(run)) return 0
  if (!isPlannedByFloor(workplace, spaceId)) return 1
  const floors = new Set<string>(workplace.floorsOf(spaceId).map((floor) => floor.id))
  return run.series.filter(({ key }) => floors.has(key.space ?? '')).length
}

/** Returns true for a site or building in which no team is at home: its people are planned by their floors. */
export const isPlannedByFloor = ({ hasTeamsIn }: Workplace, spaceId: string | null): spaceId is string =>
  spaceId !== null && !hasTeamsIn(spaceId)

/** Returns what tells forecasts of all teams from others; without teams, those of the floors of a site or building. */
const baseOf =
  (workplace: Workplace, spaceId: string | null) =>
  ({ input }: Pick<ForecastRun, 'input'>): boolean => {
    const asked = scopeOf(input)
    if (!isPlannedByFloor(workplace, spaceId)) return asked?.level === 'team' && asked.team_id === undefined
    const { level, space_id: root } = asked ?? {}
    return level === 'floor' && (root === undefined || workplace.isWithin(spaceId, root))
  }

const isOfPeaks = ({ input }: Pick<ForecastRun, 'input'>): boolean => scopeOf(input)?.measure === 'peak'

/** The input of a run is as its caller gave it, parsed by the API. */
const scopeOf = (input: ForecastRun['input']) =>
  (input as { workplace?: { level?: string; team_id?: string; space_id?: string; measure?: string } }).workplace

/** Starts scenarios, with a forecast before the first one, and opens the page of each. */
export function useStartScenario(workplace: Workplace) {
  const { api, workspaceId, refresh } = useWorkspace()
  const navigate = useNavigate()
  const [step, setStep] = useState<'forecast' | 'scenario'>()
  const { mutate, isPending, error } = useMutation({
    mutationFn: async ({ draft, forecastId }: { draft: ScenarioDraft; forecastId: string | null }) => {
      setStep(forecastId === null ? 'forecast' : 'scenario')
      const base = forecastId ?? (await makeForecast(api, workplace, draft.spaceId))
      setStep('scenario')
      const changes = changesOf(draft, workplace)
      const asked = { changes, space_id: draft.spaceId }
      return api.solutions.createScenario({
        body: {
          name:
            draft.name?.trim() ||
            (await nameAsNoOther(api, suggestName(asked, workplace, openDays(workplace, draft.spaceId)))),
          forecast_run_id: base,
          space_id: draft.spaceId,
          changes,
          objective: draft.objective,
          service_level: parseNumber(draft.promise) / 100,
        },
      })
    },
    // Also the forecasts: one was made before the first scenario.
    onSuccess: () => refresh('scenarios'),
    onSettled: () => setStep(undefined),
  })
  const start = (asked: { draft: ScenarioDraft; forecastId: string | null }, former?: string) =>
    mutate(asked, {
      // A callback of the call, which a page that was left does not get.
      onSuccess: ({ id }) =>
        void navigate({
          to: '/$workspaceId/scenarios/$scenarioId',
          params: { workspaceId, scenarioId: id },
          search: former === undefined ? {} : { compare: former },
        }),
    })
  return { start, isPending, step, error }
}

/** Numbers a suggested name that other scenarios have: `Köln: floors that can close (2)`. */
async function nameAsNoOther({ solutions }: Client, name: string): Promise<string> {
  const { items } = await solutions.listScenarios({ query: { name, limit: 100 } })
  const taken = new Set(items.map((scenario) => scenario.name))
  let own = name
  for (let number = 2; taken.has(own); number++) own = `${name.slice(0, 190)} (${number})`
  return own
}

const timezoneOf = ({ spaces }: Workplace, id: string | null): string =>
  spaces.find((space) => space.id === id)?.effective.timezone ?? spaces[0]?.effective.timezone ?? 'UTC'

/**
 * Forecasts all teams, or else the floors, as many days ahead as their history allows, and waits for the end. One that
 * is already being made is waited for. @returns the id of the run @throws Error that says why it failed
 */
async function makeForecast(api: Client, workplace: Workplace, spaceId: string | null): Promise<string> {
  const isBase = baseOf(workplace, spaceId)
  for (const status of ['running', 'queued'] as const) {
    const { runs } = await readRuns(api, { status }, {}, isBase)
    const started = runs.find(isBase)
    if (started === undefined || (await untilEnded(api, started.id)) !== undefined) continue
    if ((await countFloors(api, workplace, spaceId, started.id)) > 0) return started.id
  }
  const isByFloor = isPlannedByFloor(workplace, spaceId)
  const scopes = isByFloor
    ? (await readMeasures(api, workplace, spaceId)).map((measure) => ({
        level: 'floor' as const,
        space_id: spaceId,
        measure,
      }))
    : [{ level: 'team' as const }]
  let failure: Failure | null | undefined
  for (const scope of scopes) {
    const timezone = timezoneOf(workplace, spaceId)
    for (let horizon: number | undefined = horizons[0]; horizon !== undefined; ) {
      const started: ForecastRun | TooShort = await api.solutions
        .startForecastRun({ body: { workplace: scope, frequency: 'day', timezone, horizon } })
        .catch(asTooShort)
      failure = 'id' in started ? await untilEnded(api, started.id) : started
      if (failure === undefined && 'id' in started) return started.id
      horizon = 'id' in started ? undefined : horizonFor(horizon, started.missingDays)
    }
    // While weeks are still being counted, attendance has no data yet.
    if (failure?.code !== 'no_data' || failure.retryable) break
  }
  throw new TaskError(
    `The ${isByFloor ? 'floors' : 'teams'} cannot be forecast`,
    isByFloor && failure?.code === 'no_data' && !failure.retryable
      ? 'No one is counted on these floors yet: add badge events, people counters or bookings of them under Data.'
      : (failure?.message ?? ''),
  )
}

/** Reads which measures a forecast of the floors can have: of one that fails, everyone in the workspace is notified. */
async function readMeasures(api: Client, workplace: Workplace, spaceId: string): Promise<readonly Measure[]> {
  const ids = workplace.floorsOf(spaceId).map(({ id }) => id)
  if (ids.length > maxFloors) return bothMeasures
  const page = await api.solutions.getUtilization({ query: { space_ids: ids.join(','), interval: 'range', days: 365 } })
  // A floor with counters alone would be in no forecast of different people.
  const isCountedOnly = page.items.some((floor) => floor.peak !== null && floor.attendance_source === null)
  return isCountedOnly ? bothMeasures.toReversed() : measuresOf(page)
}

/** Spaces of one request. */
const maxFloors = 100

type Failure = Pick<NonNullable<ForecastRun['error']>, 'code' | 'message' | 'retryable'>

type TooShort = Failure & { missingDays: number }

/** Returns the refusal of a forecast of more days than the history allows. */
function asTooShort(error: unknown): TooShort {
  if (!(error instanceof ApiError) || error.code !== 'series_too_short') throw error
  const { required, available } = error.body
  return {
    code: error.code,
    message: error.message,
    retryable: false,
    missingDays: Number(required) - Number(available),
  }
}

/** Waits for the end of a forecast. @returns undefined once it is finished, and its error otherwise */
async function untilEnded(api: Client, id: string): Promise<Failure | null | undefined> {
  for (;;) {
    const { status, error } = await api.solutions.getForecastRun({ params: { id } })
    if (status === 'finished') return undefined
    if (status === 'failed' || status === 'cancelled') return error
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}
