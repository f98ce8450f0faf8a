import { id, solutions } from '@wp/contracts'
import type { InternalCalls } from '@wp/service'
import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import { requireAllSources } from '../tool.ts'
import { waitForEnd, waitSeconds } from '../wait-for-end.ts'

const [maxFloors, maxTeams, maxWarnings] = [40, 40, 5]

const input = z.strictObject({
  scenario_id: id('scn'),
  wait_seconds: waitSeconds().describe('Waits so long for a scenario that has not ended'),
})

export const readScenario = (internal: InternalCalls) =>
  defineTool({
    name: 'read_scenario',
    description:
      'Reads a scenario: its conclusion, the floors that can close, the saving of a year with its arithmetic, the risk that someone has no place, and what stands in the way. Waits for one that has not ended. State only figures that are in it.',
    input,
    requiredScopes: ['solutions:read'],
    async run({ scenario_id: scenarioId, wait_seconds: seconds }, call) {
      requireAllSources(call)
      const read = () => internal.call(solutions.getScenario, call.caller, { params: { id: scenarioId } })
      return { output: summarizeScenario(await waitForEnd(read, seconds, call.signal)) }
    },
  })

type ScenarioView = z.input<typeof solutions.getScenario.ok>
type Result = NonNullable<ScenarioView['result']>

/** Returns what a scenario says. Shares are in percent and money in the units of its currency, as people write them. */
const summarizeScenario = ({ id, name, status, progress, error, changes, result, ...asked }: ScenarioView) => ({
  scenario_id: id,
  name,
  status,
  ...(status === 'running' || status === 'queued' ? { progress, note: 'Not ended yet: call read_scenario again' } : {}),
  ...(error === null ? {} : { error }),
  asked: { changes: given(changes), objective: asked.objective, service_level_percent: percent(asked.service_level) },
  ...(result === null ? {} : summarizeResult(result)),
})

const given = (changes: ScenarioView['changes']) =>
  Object.fromEntries(Object.entries(changes).filter(([, list]) => Array.isArray(list) && list.length > 0))

function summarizeResult({ saving, risk, floors, teams, free, before, ...result }: Result) {
  const nameOf = new Map(floors.map((floor) => [floor.space_id, floor.name]))
  return {
    is_feasible: result.is_feasible,
    conclusion: result.conclusion,
    ...(result.conflict.length === 0 ? {} : { conflict: result.conflict }),
    can_close: free.map(({ name, weekdays }) => ({ floor: name, weekdays })),
    saving:
      saving === null
        ? null
        : {
            per_year: inUnits(saving.amount, saving.currency),
            currency: saving.currency,
            arithmetic: saving.lines.map((line) => `${line.name}: ${line.arithmetic}`),
          },
    people_who_sit_elsewhere: result.moved_people,
    ...(risk === null
      ? {}
      : {
          days_on_which_someone_has_no_place_percent: percent(risk.overflow_days),
          people_without_place_on_average: rounded(risk.people_without_place),
          ...(risk.people === null ? {} : { risk_is_of: risk.people }),
        }),
    today: demand(before),
    changed_demand_with_places_of_today: demand(result.demand_changed),
    changed_demand_with_places_of_scenario: demand(result.allocation_changed),
    floors: floors.slice(0, maxFloors).map(({ name, capacity, open, kept_open_by: reason }) => ({
      name,
      capacity,
      open,
      ...(reason === null ? {} : { kept_open_by: reason }),
    })),
    teams: teams.slice(0, maxTeams).map(({ name, seats, moved_people: moved }) => ({
      name,
      people_who_sit_elsewhere: moved,
      sits_on: [...new Set(seats.map(({ space_id: id }) => nameOf.get(id) ?? id))],
    })),
    ...(floors.length > maxFloors || teams.length > maxTeams ? { note: 'Some floors or teams are left out' } : {}),
    ...(result.warnings.length === 0 ? {} : { warnings: result.warnings.slice(0, maxWarnings) }),
  }
}

const demand = (of: Result['before']) =>
  of === null
    ? null
    : {
        people: Object.fromEntries(Object.entries(of.people).map(([weekday, people]) => [weekday, rounded(people)])),
        utilization_percent: of.utilization === null ? null : percent(of.utilization),
        days_with_a_place_for_everyone_percent: percent(of.service_level),
      }

const percent = (share: number): number => rounded(share * 100)
const rounded = (value: number): number => Math.round(value * 10) / 10

function inUnits(amount: number, currency: string): number {
  const { maximumFractionDigits: digits = 2 } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions()
  return amount / 10 ** digits
}
